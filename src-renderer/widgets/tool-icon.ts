import {
  Bot,
  FilePlus,
  FileText,
  FolderSearch,
  Globe,
  ListTodo,
  type LucideIcon,
  MessageCircleQuestion,
  NotebookPen,
  NotebookText,
  Pencil,
  Plug,
  Search,
  SquareTerminal,
  SquareX,
  Wrench,
} from 'lucide-react';

const ICONS: Readonly<Record<string, LucideIcon>> = {
  Bash: SquareTerminal,
  BashOutput: SquareTerminal,
  KillShell: SquareX,
  Read: FileText,
  NotebookRead: NotebookText,
  Edit: Pencil,
  MultiEdit: Pencil,
  NotebookEdit: NotebookPen,
  Write: FilePlus,
  Grep: Search,
  Glob: FolderSearch,
  LS: FolderSearch,
  Agent: Bot,
  Task: Bot,
  WebFetch: Globe,
  WebSearch: Globe,
  TodoWrite: ListTodo,
  AskUserQuestion: MessageCircleQuestion,
};

/** The picture of a tool, by its name. Tools of MCP servers share a plug; an unknown one gets a wrench. */
export const toolIcon = (tool: string): LucideIcon => ICONS[tool] ?? (tool.startsWith('mcp__') ? Plug : Wrench);
