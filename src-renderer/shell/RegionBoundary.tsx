import { Component, type ErrorInfo, type ReactNode } from 'react';
import { failureWords } from '../state/problem.ts';
import { Button } from '../widgets/Button.tsx';
import styles from './States.module.css';

type Props = {
  /** What the region is called in the sentence `… could not be drawn`. */
  readonly name: string;
  readonly children: ReactNode;
};
type State = { readonly failed: string | undefined };

/** Keeps a fault of one region inside it: the others go on, and the person is told what is kept. */
export class RegionBoundary extends Component<Props, State> {
  override state: State = { failed: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { failed: failureWords(error).message };
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    // A fault of ours: main writes the console of its window to the log, with the stack.
    console.error(`The ${this.props.name} could not be drawn.`, error, info.componentStack);
  }

  override render(): ReactNode {
    if (this.state.failed === undefined) return this.props.children;
    return (
      <div className={styles.state} role="alert">
        <h2 className={styles.title}>The {this.props.name} could not be drawn.</h2>
        <p className={styles.text}>{this.state.failed}</p>
        <p className={styles.text}>The session goes on and its journal is complete.</p>
        <Button onClick={() => this.setState({ failed: undefined })}>Draw it again</Button>
      </div>
    );
  }
}
