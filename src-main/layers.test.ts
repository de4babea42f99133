import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ESTree, parseSync, Visitor } from 'vite';
import { expect, test } from 'vitest';

/*
 * The map of who may import whom. A stray arrow is printed as `src-main/core/a.ts -> src-main/adapters/b.ts`;
 * the way out is a port, or moving what both need to src-shared, not a longer table.
 */

const MAY_IMPORT = {
  'src-shared': [],
  'src-renderer': ['src-shared'],
  'src-main/core': ['src-shared'],
  'src-main/ports': ['src-shared', 'src-main/core'],
  'src-main/adapters': ['src-shared', 'src-main/core', 'src-main/ports'],
  'src-main/app': ['src-shared', 'src-main/core', 'src-main/ports'],
  'src-main/ipc': ['src-shared', 'src-main/core', 'src-main/ports', 'src-main/app'],
  'src-main/windows': ['src-shared', 'src-main/ports'],
  // A program of its own: it puts together what it runs, as index.ts does.
  'src-main/process-host': ['src-shared', 'src-main/ports', 'src-main/adapters/process'],
  'src-main/preload.ts': ['src-shared'],
  'src-main/composition': ['src-shared', 'src-main'],
  'src-main/cli': ['src-shared', 'src-main'],
  'src-main/index.ts': ['src-shared', 'src-main'],
} as const satisfies Record<string, readonly string[]>;
type Layer = keyof typeof MAY_IMPORT;
const LAYERS = Object.keys(MAY_IMPORT) as readonly Layer[];

const MAY_IMPORT_ELECTRON = [
  'src-main/index.ts',
  'src-main/preload.ts',
  'src-main/composition',
  'src-main/ipc',
  'src-main/windows',
  'src-main/adapters/electron',
];

/** Parts of Node that only compute. */
const PURE_NODE = new Set(['node:path', 'node:path/posix', 'node:util', 'node:url', 'node:crypto', 'node:buffer']);
const MAY_IMPORT_NODE: { readonly [K in Layer]: 'all' | 'pure' | 'none' } = {
  'src-shared': 'none',
  'src-renderer': 'none',
  'src-main/core': 'pure',
  'src-main/ports': 'all',
  'src-main/adapters': 'all',
  'src-main/app': 'all',
  'src-main/ipc': 'all',
  'src-main/windows': 'all',
  'src-main/process-host': 'all',
  'src-main/preload.ts': 'none',
  'src-main/composition': 'all',
  'src-main/cli': 'all',
  'src-main/index.ts': 'all',
};

/** Layers in which the same input must always give the same output. */
const PURE_LAYERS: readonly Layer[] = ['src-shared', 'src-main/core'];
/** Time, chance and the outside world, as they look in source text. */
const IMPURE = new Set([
  'Date.now',
  'Math.random',
  'performance.now',
  'crypto.randomUUID',
  'crypto.getRandomValues',
  'new Date()',
  'process',
  'window',
  'document',
  'localStorage',
  'fetch',
]);

const root = fileURLToPath(new URL('..', import.meta.url));
const isTest = (file: string) => /\.(test|fake|fixture)\.tsx?$/.test(file) || file.includes('/testing/');
const sources = filesUnder('src-shared', 'src-main', 'src-renderer').filter((file) => /\.tsx?$/.test(file));
const findings = sources
  .filter((file) => !isTest(file))
  .map((file) => inspect(file, readFileSync(join(root, file), 'utf8')));

test('the map of the layers is one that sees a planted stray', () => {
  const core = `
    import type { Store } from '../adapters/storage/store.ts';
    export { run } from '../app/run.ts';
    import { readFile } from 'node:fs/promises';
    import { app } from 'electron';
    const lazy = () => import('../windows/main.ts');
    let shape: import('../ipc/serve.ts').Shape;
    export const at = Date.now() + Math.random() + new Date().getTime() + new Date(0).getTime();
    export const home = process.env.HOME;
    export const length = (window: { from: number; to: number }) => window.to - window.from;`;
  expect(inspect('src-main/core/planted.ts', core)).toEqual({
    strayImports: [
      'src-main/core/planted.ts -> src-main/adapters/storage/store.ts',
      'src-main/core/planted.ts -> src-main/app/run.ts',
      'src-main/core/planted.ts -> node:fs/promises',
      'src-main/core/planted.ts -> electron',
      'src-main/core/planted.ts -> src-main/windows/main.ts',
      'src-main/core/planted.ts -> src-main/ipc/serve.ts',
    ],
    impure: [
      'src-main/core/planted.ts: Date.now',
      'src-main/core/planted.ts: Math.random',
      'src-main/core/planted.ts: new Date()',
      'src-main/core/planted.ts: process',
    ],
    bridges: [],
  });
  const view = `import '../src-main/index.ts'; import { join } from 'node:path'; window.gantry.send();`;
  expect(inspect('src-renderer/view.tsx', view)).toEqual({
    strayImports: ['src-renderer/view.tsx -> src-main/index.ts', 'src-renderer/view.tsx -> node:path'],
    impure: [],
    bridges: ['src-renderer/view.tsx: window.gantry'],
  });
});

test('every source file belongs to a layer', () => {
  expect(sources.filter((file) => !isTest(file) && layerOf(file) === undefined)).toEqual([]);
});

test('imports point along the map', () => {
  expect(findings.flatMap((finding) => finding.strayImports)).toEqual([]);
});

test('shared code and core know no clock, no chance and no outside world', () => {
  expect(findings.flatMap((finding) => finding.impure)).toEqual([]);
});

test('only bridge.ts touches window.gantry', () => {
  expect(findings.flatMap((finding) => finding.bridges)).toEqual([]);
});

test('every folder with code has a README.md of under 20 lines', () => {
  const code = filesUnder('src-shared', 'src-main', 'src-renderer', 'e2e', 'scripts', 'bench').filter((file) =>
    /\.(tsx?|mjs|css)$/.test(file),
  );
  const folders = [...new Set(code.map((file) => posix.dirname(file)))];
  const faults = folders.flatMap((folder) => {
    const readme = join(root, folder, 'README.md');
    if (!existsSync(readme)) return [`${folder}: no README.md`];
    const lines = readFileSync(readme, 'utf8').trimEnd().split('\n').length;
    return lines < 20 ? [] : [`${folder}: README.md has ${lines} lines`];
  });
  expect(faults).toEqual([]);
});

interface Findings {
  readonly strayImports: readonly string[];
  readonly impure: readonly string[];
  readonly bridges: readonly string[];
}

/** What one file does that the map forbids. `file` is relative to the project, with forward slashes. */
function inspect(file: string, text: string): Findings {
  const layer = layerOf(file);
  const { imports, mentions } = readSource(file, text);
  if (layer === undefined) return { strayImports: [], impure: [], bridges: [] };
  const strayImports = imports
    .map((specifier) => (specifier.startsWith('.') ? posix.join(dirname(file), specifier) : specifier))
    .filter((target) => !mayImport(file, layer, target))
    .map((target) => `${file} -> ${target}`);
  const impure = PURE_LAYERS.includes(layer) ? mentions.filter((mention) => IMPURE.has(mention)) : [];
  const bridges = file === 'src-renderer/bridge.ts' ? [] : mentions.filter((mention) => mention === 'window.gantry');
  return {
    strayImports,
    impure: [...new Set(impure)].map((mention) => `${file}: ${mention}`),
    bridges: bridges.map((mention) => `${file}: ${mention}`),
  };
}

function mayImport(file: string, layer: Layer, target: string): boolean {
  if (target === 'electron' || target.startsWith('electron/'))
    return MAY_IMPORT_ELECTRON.some((place) => within(file, place));
  if (target.startsWith('node:')) {
    const allowed = MAY_IMPORT_NODE[layer];
    return allowed === 'all' || (allowed === 'pure' && PURE_NODE.has(target));
  }
  // Packages: which ones a layer uses is a matter of review. Only source folders are on the map.
  if (!target.startsWith('src-')) return true;
  if (isTest(target)) return false;
  return [layer, ...MAY_IMPORT[layer]].some((place) => within(target, place));
}

function layerOf(file: string): Layer | undefined {
  return LAYERS.find((layer) => within(file, layer));
}

function within(file: string, place: string): boolean {
  return file === place || file.startsWith(`${place}/`);
}

/** Specifiers of all imports, type imports included, and the global things that the code mentions. */
function readSource(file: string, text: string): { imports: readonly string[]; mentions: readonly string[] } {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  const imports: { readonly start: number; readonly specifier: string }[] = [];
  const mentions: string[] = [];
  const ownNames = new Set<string>();
  const note = (source: unknown) => {
    const literal = source as { type?: string; value?: unknown; start: number } | null;
    if (literal?.type === 'Literal') imports.push({ start: literal.start, specifier: String(literal.value) });
  };
  new Visitor({
    ImportDeclaration: (node) => note(node.source),
    ExportNamedDeclaration: (node) => note(node.source),
    ExportAllDeclaration: (node) => note(node.source),
    ImportExpression: (node) => note(node.source),
    TSImportType: (node) => note(node.source),
    MemberExpression: (node) => {
      if (node.object.type !== 'Identifier') return;
      const property = node.property.type === 'Identifier' && !node.computed ? `.${node.property.name}` : '';
      mentions.push(node.object.name, `${node.object.name}${property}`);
    },
    VariableDeclarator: (node) => addNames([node.id], ownNames),
    FunctionDeclaration: (node) => addNames(node.params, ownNames),
    ArrowFunctionExpression: (node) => addNames(node.params, ownNames),
    CallExpression: (node) => {
      if (node.callee.type === 'Identifier') mentions.push(node.callee.name);
    },
    NewExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.arguments.length === 0) mentions.push(`new ${node.callee.name}()`);
    },
  }).visit(program);
  return {
    imports: imports.sort((a, b) => a.start - b.start).map((found) => found.specifier),
    // `window.from` of a parameter called window is a stretch of time, not the browser's.
    mentions: mentions.filter((mention) => !ownNames.has(mention.split('.')[0]!)),
  };
}

/** Adds the names that parameters or declarations bind. */
function addNames(patterns: readonly (ESTree.ParamPattern | ESTree.BindingPattern)[], names: Set<string>): void {
  for (const pattern of patterns) {
    if (pattern.type === 'Identifier') names.add(pattern.name);
    if (pattern.type === 'AssignmentPattern') addNames([pattern.left], names);
    if (pattern.type === 'ObjectPattern') {
      addNames(
        pattern.properties.flatMap((property) => (property.type === 'Property' ? [property.value] : [])),
        names,
      );
    }
  }
}

function filesUnder(...folders: readonly string[]): readonly string[] {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
        posix.join(folder, name.replaceAll('\\', '/')),
      ),
    )
    .filter((file) => !/\/(fixtures|__snapshots__)\//.test(file));
}
