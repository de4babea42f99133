import { createElement } from 'react';
import { toolIcon } from './tool-icon.ts';

export type ToolIconProps = { readonly tool: string; readonly size?: number; readonly className?: string | undefined };

/** The picture of a tool. The name of the tool always stands beside it, so screen readers skip the picture. */
export function ToolIcon({ tool, size = 15, className }: ToolIconProps) {
  return createElement(toolIcon(tool), { 'aria-hidden': true, size, strokeWidth: 1.75, className });
}
