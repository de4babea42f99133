import { rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * How `npm run package` makes the app that people install. Spec 4.5: the fuses of a packaged build.
 * @type {import('electron-builder').Configuration}
 */
export default {
  appId: 'dev.gantry.app',
  productName: 'Gantry',
  directories: { output: 'dist' },
  // Everything of ours is bundled into out/; the few packages with a binary come from node_modules by themselves.
  files: ['package.json', 'out/**', '!out/built-at', '!**/*.map', '!**/*.{md,d.ts}'],
  asar: true,
  // Started as programs, which works from real files only. Native modules are unpacked by the builder itself.
  asarUnpack: ['node_modules/@vscode/ripgrep*/**'],
  npmRebuild: false,
  // A development runtime brings an app that starts any folder it is given. An installed app has no use for it.
  afterPack: async ({ appOutDir, packager }) => {
    await rm(join(packager.getResourcesDir(appOutDir), 'default_app.asar'), { force: true });
  },
  electronFuses: {
    // On: the process host, which ends a session's processes when the app dies, is this program run as Node.
    runAsNode: true,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    loadBrowserProcessSpecificV8Snapshot: false,
    grantFileProtocolExtraPrivileges: false,
  },
  fileAssociations: [{ ext: 'jsonl', name: 'Agent transcript', role: 'Viewer', rank: 'Alternate' }],
  linux: { target: ['AppImage', 'deb'], category: 'Development', maintainer: 'Gantry' },
  mac: { target: ['dmg', 'zip'], category: 'public.app-category.developer-tools', hardenedRuntime: true },
  win: { target: ['nsis'] },
};
