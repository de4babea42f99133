import type { ThemeName, Tokens } from '../../src-shared/theme/tokens.ts';

/** `text.onSolid` → `--text-on-solid`: dots and capitals become dashes. */
export const cssName = (token: string): string =>
  `--${token.replace(/\./g, '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

type Declaration = readonly [name: string, value: string];

/** As the formatter would write it, so that the file is stable: double quotes, spaces after commas, `0.5`, `#ab`. */
const tidy = (value: string): string =>
  value
    .replace(/'/g, '"')
    .replace(/,(?=\S)/g, ', ')
    .replace(/(?<!\d)\.(?=\d)/g, '0.')
    .replace(/#[\dA-F]+/g, (hex) => hex.toLowerCase());

const block = (selector: string, declarations: readonly Declaration[], indent = ''): string =>
  [
    `${indent}${selector} {`,
    ...declarations.map(([name, value]) => `${indent}  ${name}: ${tidy(value)};`),
    `${indent}}`,
  ].join('\n');

/** Numbers of a nested group as pixel lengths: `size.sidebar.min` → `--size-sidebar-min: 180px`. */
function lengths(prefix: string, group: object): Declaration[] {
  return Object.entries(group).flatMap(([key, value]): Declaration[] =>
    typeof value === 'number'
      ? [[cssName(`${prefix}.${key}`), value === 0 ? '0' : `${value}px`]]
      : lengths(`${prefix}.${key}`, value as object),
  );
}

function typeScale(tokens: Tokens): Declaration[] {
  return Object.entries(tokens.type.scale).flatMap(([name, style]): Declaration[] => {
    const family = 'family' in style && style.family === 'mono' ? 'var(--font-mono)' : 'var(--font-ui)';
    return [
      [`--type-${name}-size`, `${style.size}px`],
      [`--type-${name}-line`, `${style.line}px`],
      [`--type-${name}-weight`, String(style.weight)],
      [`--type-${name}`, `${style.weight} ${style.size}px / ${style.line}px ${family}`],
    ];
  });
}

const colors = (tokens: Tokens, theme: ThemeName): Declaration[] => [
  ['color-scheme', theme],
  ...Object.entries(tokens.color[theme]).map(([name, value]): Declaration => [cssName(name), value]),
  ['--shadow-menu', tokens.shadow.menu[theme]],
];

const durations = ['fast', 'normal', 'slow'] as const;

/** The whole of `theme.css`: one variable per token. Regenerate with `npx vitest run src-renderer/theme -u`. */
export function tokensToCss(tokens: Tokens): string {
  const fixed: Declaration[] = [
    ['--font-ui', tokens.type.family.ui],
    ['--font-mono', tokens.type.family.mono],
    ...typeScale(tokens),
    ...lengths('space', tokens.space),
    ...lengths('radius', tokens.radius),
    ...lengths('border', tokens.border).map(
      ([name, value]): Declaration => [name.replace('--border-', '--stroke-'), value],
    ),
    ...lengths('size', tokens.size),
    ...durations.map((name): Declaration => [`--motion-${name}`, tokens.motion[name]]),
    ['--motion-ease', tokens.motion.ease],
    ['--motion-permission-arm', tokens.motion.permissionArm],
  ];
  const still = durations.map((name): Declaration => [`--motion-${name}`, '0ms']);
  return `${[
    '/* Made from tokens.json by tokens-to-css.ts. Do not edit: npx vitest run src-renderer/theme -u */',
    block(':root', fixed),
    block(':root,\n:root[data-theme="dark"]', colors(tokens, 'dark')),
    block(':root[data-theme="light"]', colors(tokens, 'light')),
    `@media (prefers-reduced-motion: reduce) {\n${block(':root', still, '  ')}\n}`,
  ].join('\n\n')}\n`;
}
