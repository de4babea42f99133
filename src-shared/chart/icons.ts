import * as ban from 'lucide-react/icons/ban';
import * as bookOpen from 'lucide-react/icons/book-open';
import * as bot from 'lucide-react/icons/bot';
import * as bug from 'lucide-react/icons/bug';
import * as clipboardCheck from 'lucide-react/icons/clipboard-check';
import * as copy from 'lucide-react/icons/copy';
import * as filePenLine from 'lucide-react/icons/file-pen-line';
import * as filePlus from 'lucide-react/icons/file-plus';
import * as fileText from 'lucide-react/icons/file-text';
import * as globe from 'lucide-react/icons/globe';
import * as hand from 'lucide-react/icons/hand';
import * as lightbulb from 'lucide-react/icons/lightbulb';
import * as listTodo from 'lucide-react/icons/list-todo';
import * as lock from 'lucide-react/icons/lock';
import * as question from 'lucide-react/icons/message-circle-question-mark';
import * as notebookPen from 'lucide-react/icons/notebook-pen';
import * as notebookText from 'lucide-react/icons/notebook-text';
import * as pause from 'lucide-react/icons/pause';
import * as pencil from 'lucide-react/icons/pencil';
import * as plug from 'lucide-react/icons/plug';
import * as history from 'lucide-react/icons/rotate-ccw-clock';
import * as search from 'lucide-react/icons/search';
import * as squareTerminal from 'lucide-react/icons/square-terminal';
import * as squareX from 'lucide-react/icons/square-x';
import * as textSearch from 'lucide-react/icons/text-search';
import * as webhook from 'lucide-react/icons/webhook';
import * as wrench from 'lucide-react/icons/wrench';
import * as cross from 'lucide-react/icons/x';
import * as zap from 'lucide-react/icons/zap';

/** An icon's shapes as lucide stores them: element name and attributes, on a field of 24 × 24. */
export type IconNode = readonly (readonly [string, Readonly<Record<string, string>>])[];

/** Each icon module carries its shapes beside the component; only the component is in lucide's types. */
const nodeOf = (module: unknown): IconNode =>
  (module as { readonly __iconData: { readonly node: IconNode } }).__iconData.node;

export const ICONS = {
  ban: nodeOf(ban),
  'book-open': nodeOf(bookOpen),
  bot: nodeOf(bot),
  'clipboard-check': nodeOf(clipboardCheck),
  bug: nodeOf(bug),
  copy: nodeOf(copy),
  cross: nodeOf(cross),
  'file-pen': nodeOf(filePenLine),
  'file-plus': nodeOf(filePlus),
  'file-text': nodeOf(fileText),
  globe: nodeOf(globe),
  hand: nodeOf(hand),
  history: nodeOf(history),
  lightbulb: nodeOf(lightbulb),
  'list-todo': nodeOf(listTodo),
  lock: nodeOf(lock),
  'notebook-pen': nodeOf(notebookPen),
  'notebook-text': nodeOf(notebookText),
  pause: nodeOf(pause),
  pencil: nodeOf(pencil),
  plug: nodeOf(plug),
  question: nodeOf(question),
  search: nodeOf(search),
  'square-terminal': nodeOf(squareTerminal),
  'square-x': nodeOf(squareX),
  'text-search': nodeOf(textSearch),
  webhook: nodeOf(webhook),
  wrench: nodeOf(wrench),
  zap: nodeOf(zap),
} as const satisfies Readonly<Record<string, IconNode>>;
export type IconName = keyof typeof ICONS;

const ICON_OF_TOOL: Readonly<Record<string, IconName>> = {
  Bash: 'square-terminal',
  BashOutput: 'square-terminal',
  KillShell: 'square-x',
  Read: 'file-text',
  NotebookRead: 'notebook-text',
  Edit: 'pencil',
  MultiEdit: 'pencil',
  NotebookEdit: 'notebook-pen',
  Write: 'file-plus',
  Grep: 'search',
  Glob: 'text-search',
  LS: 'text-search',
  Agent: 'bot',
  Task: 'bot',
  WebFetch: 'globe',
  WebSearch: 'globe',
  TodoWrite: 'list-todo',
  AskUserQuestion: 'question',
  ExitPlanMode: 'clipboard-check',
  Skill: 'book-open',
  SlashCommand: 'book-open',
  Advisor: 'lightbulb',
};

/** The picture of a tool, by its name. Tools of MCP servers share a plug; an unknown one gets a wrench. */
export const toolIcon = (tool: string): IconName =>
  ICON_OF_TOOL[tool] ?? (tool.startsWith('mcp__') ? 'plug' : 'wrench');

const number = (attributes: Readonly<Record<string, string>>, name: string): number => Number(attributes[name] ?? 0);

/** The strokes of an icon as SVG path data, one each: a leading relative move starts from the origin in each of them. */
export const pathData = (node: IconNode): readonly string[] =>
  node.map(([element, attributes]) => shapeData(element, attributes));

function shapeData(element: string, attributes: Readonly<Record<string, string>>): string {
  switch (element) {
    case 'path':
      return attributes.d ?? '';
    case 'rect':
      return roundedRect(attributes);
    case 'circle': {
      const r = number(attributes, 'r');
      return `M${number(attributes, 'cx') - r} ${number(attributes, 'cy')}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
    }
    case 'line':
      return `M${attributes.x1} ${attributes.y1}L${attributes.x2} ${attributes.y2}`;
    case 'polyline':
      return `M${attributes.points}`;
    default:
      throw new Error(`icons.ts does not know the shape <${element}>`);
  }
}

function roundedRect(attributes: Readonly<Record<string, string>>): string {
  const w = number(attributes, 'width');
  const h = number(attributes, 'height');
  const r = number(attributes, 'rx');
  const x = number(attributes, 'x');
  const y = number(attributes, 'y');
  const corner = (dx: number, dy: number): string => `a${r} ${r} 0 0 1 ${dx} ${dy}`;
  return `M${x + r} ${y}h${w - 2 * r}${corner(r, r)}v${h - 2 * r}${corner(-r, r)}h${2 * r - w}${corner(-r, -r)}v${2 * r - h}${corner(r, -r)}z`;
}
