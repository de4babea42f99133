import { isOver } from '../../src-shared/session/is-over.ts';
import { type Agent, callById, type SessionState } from '../../src-shared/session/state.ts';
import { agentName } from '../../src-shared/timeline/agent-tree.ts';
import { formatCount, formatMillis } from '../../src-shared/timeline/words.ts';
import type { ToolCall } from '../../src-shared/tool-call/state.ts';
import { counted } from '../state/format.ts';
import { useLiveNow } from '../state/use-live-now.ts';
import { agentTook, endOfAgent } from './agent-facts.ts';
import { Fact, Facts, Part } from './Facts.tsx';
import { TextLines } from './output/ModelSaw.tsx';

type Props = { readonly state: SessionState; readonly call: ToolCall };

/** The agents that a call has started; nothing for other calls. */
export function AgentPart({ state, call }: Props) {
  const started = state.agents.filter(({ parentCallId }) => parentCallId === call.callId);
  return started.map((agent) => <OneAgent key={agent.agentId} state={state} agent={agent} />);
}

function OneAgent({ state, agent }: { readonly state: SessionState; readonly agent: Agent }) {
  const isRunning = agent.until === undefined && !isOver(state);
  const now = useLiveNow(isRunning, 1_000);
  const { calls, tokens, withBelow } = agentTook(state, agent);
  const { definedIn, tools, model } = agent;
  return (
    <Part title="The agent it started" note={agentName(agent)}>
      <Facts>
        <Fact name="Kind">{agent.agentType}</Fact>
        {definedIn === undefined ? null : <Fact name="Defined in">{definedIn}</Fact>}
        {model === undefined ? null : <Fact name="Model">{model}</Fact>}
        {tools === undefined ? null : <Fact name="Tools">{tools.length === 0 ? 'none' : tools.join(', ')}</Fact>}
        <Fact name="Depth">{depthWords(state, agent)}</Fact>
        <Fact name="Took">
          {counted(calls, 'call')}
          {tokens === undefined ? '' : `, ${formatCount(tokens)} tokens`},{' '}
          {formatMillis((agent.until ?? now) - agent.from)}
          {withBelow ? ', with the agents below it' : ''}
        </Fact>
        <Fact name="Ended">{endOfAgent(agent, isRunning)}</Fact>
      </Facts>
      <TextLines text={agent.prompt} />
    </Part>
  );
}

/** `1, below the main agent` */
function depthWords(state: SessionState, { depth, parentCallId }: Agent): string {
  const parent = parentCallId === undefined ? undefined : callById(state, parentCallId)?.agentId;
  const above = state.agents.find(({ agentId }) => agentId === parent);
  return `${formatCount(depth)}, below ${above === undefined ? 'the main agent' : agentName(above)}`;
}
