import type { SessionState } from '../../src-shared/session/state.ts';
import { contextOf, resultShare, spentOf } from '../../src-shared/session/tokens.ts';
import { formatCount } from '../../src-shared/timeline/words.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { dollars } from '../state/format.ts';
import { Fact, Facts, Part } from './Facts.tsx';
import styles from './Tab.module.css';

/** What a call's result took of the request that carried it first. Nothing where no tokens were told. */
export function ResultTokens({ state, call }: { readonly state: SessionState; readonly call: ToolCall }) {
  const share = resultShare(state, call);
  if (share === undefined) return null;
  const percent = Math.round((share.tokens / share.of) * 100);
  return (
    <Part title="What the model had to read">
      <Facts>
        <Fact name="Its result">
          about {formatCount(share.tokens)} tokens, {percent} % of the {formatCount(share.of)} of the next request
        </Fact>
      </Facts>
      <p className={styles.muted}>An estimate: servers count a request as a whole.</p>
    </Part>
  );
}

/** Which model answers, how full its window is, what was spent, and which files stand in its prompt. */
export function SessionModel({ state }: { readonly state: SessionState }) {
  const context = contextOf(state);
  const { tokensIn, tokensOut, cost } = spentOf(state);
  const model = state.model?.model ?? context?.model;
  // A scenario has no model: its counts would be of nothing.
  const isScripted = state.origin?.kind === 'live' && state.origin.scenario !== undefined;
  if (isScripted || (state.model === undefined && context === undefined)) return null;
  const sources = state.prompts[0]?.sources ?? [];
  return (
    <Part title="Model">
      <Facts>
        {model === undefined ? null : <Fact name="Model">{model}</Fact>}
        {state.model === undefined ? null : <Fact name="Provider">{state.model.provider}</Fact>}
        {state.model?.baseUrl === undefined ? null : <Fact name="Address">{state.model.baseUrl}</Fact>}
        {context === undefined ? null : (
          <Fact name="Window">
            {formatCount(context.used)}
            {context.window === undefined ? '' : ` of ${formatCount(context.window)}`} tokens
          </Fact>
        )}
        {tokensIn + tokensOut === 0 ? null : (
          <Fact name="Tokens">
            {formatCount(tokensIn)} in, {formatCount(tokensOut)} out
          </Fact>
        )}
        {cost === undefined ? null : <Fact name="Cost">{dollars(cost)}, from list prices</Fact>}
        {sources.map(({ path, note, chars }) => (
          <Fact key={path} name={chars > 0 ? 'Told of' : 'Left out'}>
            {path}
            {note === undefined ? '' : chars > 0 ? ` (${note})` : `: ${note}`}
          </Fact>
        ))}
      </Facts>
    </Part>
  );
}
