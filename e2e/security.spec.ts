import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ElectronApplication } from '@playwright/test';
import { expect, test } from './app.fixture.ts';

/*
 * What a page of ours could do if somebody got it to run their code (docs/security.md). Playwright's own evaluate may do
 * more than the page: what the policy forbids is tried by elements that the page itself adds.
 */

/** A server that is not ours, and what has been asked of it. */
async function foreignServer(): Promise<{ readonly url: string; readonly asked: string[]; readonly server: Server }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('content-type', request.url?.endsWith('.js') ? 'text/javascript' : 'text/html');
    response.end(request.url?.endsWith('.js') ? 'document.documentElement.dataset.ran = "remote"' : '<p>Elsewhere</p>');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server };
}

/** The page as main sees it: Playwright waits for the end of each navigation, and these never come about. */
const stays = async (app: ElectronApplication): Promise<void> => {
  const look = () =>
    app.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript(
        '[location.origin + location.pathname, document.getElementById("root").childElementCount > 0]',
      ),
    );
  await expect(async () => expect(await look()).toEqual(['gantry://app/index.html', true])).toPass();
};

test('a page has no Node, and of us three functions', async ({ started: { app, page } }) => {
  const found = await page.evaluate(() => {
    const globals = window as unknown as Record<string, unknown>;
    return {
      node: ['require', 'process', 'Buffer', 'module', 'exports', 'global', '__dirname', 'setImmediate'].filter(
        (name) => globals[name] !== undefined,
      ),
      bridge: Object.keys(globals.gantry as object).sort(),
      isFixed: (() => {
        try {
          globals.gantry = {};
        } catch {
          // Assigning to what may not be assigned to throws in strict code.
        }
        return typeof (globals.gantry as { invoke?: unknown }).invoke === 'function';
      })(),
      // What the bridge is made of must not lead to the world of the preload script.
      reached: Object.values(globals.gantry as Record<string, { constructor: (code: string) => () => unknown }>).map(
        (part) => {
          try {
            return String(part.constructor('return typeof require + typeof process')());
          } catch (error) {
            return (error as Error).name;
          }
        },
      ),
    };
  });
  expect(found.node).toEqual([]);
  expect(found.bridge).toEqual(['invoke', 'on', 'pathOf']);
  expect(found.isFixed).toBe(true);
  for (const reached of found.reached) expect(['undefinedundefined', 'EvalError']).toContain(reached);
  const preferences = await app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Record<string, unknown>;
    };
    return contents.getLastWebPreferences();
  });
  expect(preferences).toMatchObject({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    nodeIntegrationInSubFrames: false,
    webSecurity: true,
    webviewTag: false,
  });
});

test('there are no developer tools in what is built', async ({ started: { app, page } }) => {
  await page.keyboard.press('Control+Shift+I');
  const open = await app.evaluate(({ BrowserWindow, Menu }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents;
    contents?.openDevTools();
    const roles: string[] = [];
    const collect = (items: readonly Electron.MenuItem[]): void => {
      for (const item of items) {
        if (item.role) roles.push(item.role.toLowerCase());
        if (item.submenu) collect(item.submenu.items);
      }
    };
    collect(Menu.getApplicationMenu()?.items ?? []);
    return { isOpen: contents?.isDevToolsOpened() ?? false, roles };
  });
  expect(open.isOpen).toBe(false);
  expect(open.roles).not.toContain('toggledevtools');
  expect(open.roles).not.toContain('reload');
});

test.describe('a page stays where it is', () => {
  // One that leaves before it has loaded stops its own loading, which is its own affair.
  test.beforeEach(({ started: { app } }) => stays(app));

  test('whatever its code tries: address, link, form, refresh, history, new windows', async ({
    started: { app, page },
  }) => {
    const { url, asked, server } = await foreignServer();
    const targets = [url, 'file:///etc/passwd', 'data:text/html,<p>x', 'gantry://other/index.html'];
    for (const target of [...targets, 'gantry://app/assets/x.js', 'javascript:document.body.remove()']) {
      await page.evaluate((to) => {
        location.href = to;
      }, target);
      await page.evaluate((to) => {
        const link = document.createElement('a');
        link.href = to;
        document.body.append(link);
        link.click();
        link.target = '_blank';
        link.click();
        link.remove();
        window.open(to);
        window.open(to, '_self');
        window.open(to, 'x', 'nodeIntegration=yes');
      }, target);
      await page.evaluate((to) => {
        const form = document.createElement('form');
        form.action = to;
        form.method = 'POST';
        document.body.append(form);
        form.submit();
        form.remove();
      }, target);
      await stays(app);
    }
    await page.evaluate((to) => {
      const refresh = document.createElement('meta');
      refresh.httpEquiv = 'refresh';
      refresh.content = `0;url=${to}`;
      document.head.append(refresh);
    }, url);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 200)));
    await stays(app);
    expect(app.windows()).toHaveLength(1);
    expect(asked).toEqual([]);
    server.close();
  });

  test('and is brought back when it has emptied itself, where it may ask nothing', async ({
    started: { app, page },
  }) => {
    await page.evaluate(() => {
      location.href = 'about:blank';
    });
    await stays(app);
  });

  test('and nothing dropped on it takes its place', async ({ started: { app } }) => {
    await app.evaluate(({ BrowserWindow }) => {
      // What a drop of a file makes of a window that navigates on drops.
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('location.assign("file:///etc/hostname")');
    });
    await stays(app);
    const navigates = await app.evaluate(({ BrowserWindow }) => {
      const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
        getLastWebPreferences(): { navigateOnDragDrop?: boolean };
      };
      return contents.getLastWebPreferences().navigateOnDragDrop ?? false;
    });
    expect(navigates).toBe(false);
  });

  test('embeds nothing: frames get no document, no bridge, and may ask nothing', async ({ started: { page } }) => {
    const { url, asked, server } = await foreignServer();
    const result = await page.evaluate(async (remote) => {
      const outcomes: unknown[] = [];
      for (const source of [remote, 'file:///etc/passwd', 'gantry://app/index.html', 'data:text/html,<p>x']) {
        const frame = document.createElement('iframe');
        frame.src = source;
        document.body.append(frame);
        await new Promise((resolve) => setTimeout(resolve, 100));
        const inner = frame.contentWindow as unknown as { gantry?: unknown } | null;
        let bridge: string;
        try {
          bridge = typeof inner?.gantry;
        } catch (error) {
          bridge = (error as Error).name;
        }
        outcomes.push(bridge);
        frame.remove();
      }
      const view = document.createElement('webview');
      view.setAttribute('src', remote);
      document.body.append(view);
      outcomes.push('loadURL' in view ? 'a webview' : 'no webview');
      view.remove();
      return outcomes;
    }, url);
    expect(result.slice(0, 4).every((bridge) => bridge === 'undefined' || bridge === 'SecurityError')).toBe(true);
    expect(result.at(-1)).toBe('no webview');
    expect(asked).toEqual([]);
    server.close();
  });
});

test('a frame that got the bridge all the same is refused by main, and so is a page at another address', async ({
  started: { app, page },
}) => {
  // Main is asked with a message that comes from a frame below the page, as Electron would hand it over.
  const answers = await app.evaluate(async ({ ipcMain, BrowserWindow }) => {
    const handlers = (ipcMain as unknown as { _invokeHandlers: Map<string, (...words: unknown[]) => unknown> })
      ._invokeHandlers;
    const ask = handlers.get('gantry:request');
    const sender = BrowserWindow.getAllWindows()[0]?.webContents;
    const mainFrame = sender?.mainFrame;
    return Promise.all([
      ask?.({ sender, senderFrame: { url: 'gantry://app/index.html' } }, 'sessions.list', undefined),
      ask?.({ sender, senderFrame: null }, 'sessions.list', undefined),
      ask?.({ sender: { mainFrame }, senderFrame: mainFrame }, 'sessions.list', undefined),
      ask?.({ sender, senderFrame: mainFrame }, 'sessions.list', undefined),
    ]);
  });
  const refused = { ok: false, error: { kind: 'bad-input', message: 'This page may not ask anything.' } };
  expect(answers).toEqual([refused, refused, refused, { ok: true, value: [] }]);
  expect(page.url()).toContain('gantry://app/index.html');
});

test('a page gets no permission of the system', async ({ started: { app, page } }) => {
  const states = await page.evaluate(async () => {
    const names = ['geolocation', 'notifications', 'camera', 'microphone', 'clipboard-read', 'midi'];
    const queried = await Promise.all(
      names.map((name) =>
        navigator.permissions.query({ name: name as PermissionName }).then(
          ({ state }) => state,
          () => 'denied',
        ),
      ),
    );
    const asked = await Promise.all([
      Notification.requestPermission(),
      navigator.mediaDevices.getUserMedia({ audio: true, video: true }).then(
        () => 'granted',
        (error: Error) => error.name,
      ),
      navigator.mediaDevices.getDisplayMedia().then(
        () => 'granted',
        (error: Error) => error.name,
      ),
      new Promise((resolve) =>
        navigator.geolocation.getCurrentPosition(
          () => resolve('granted'),
          ({ code }) => resolve(code),
        ),
      ),
      navigator.clipboard.readText().then(
        () => 'granted',
        (error: Error) => error.name,
      ),
    ]);
    return { queried, asked };
  });
  expect(states.queried.every((state) => state === 'denied')).toBe(true);
  expect(states.asked[0]).toBe('denied');
  expect(states.asked.slice(1)).not.toContain('granted');
  const blanket = await app.evaluate(async ({ session }) =>
    Promise.all(
      ['media', 'geolocation', 'openExternal', 'fullscreen', 'unknown'].map(
        (permission) =>
          new Promise<boolean>((resolve) => {
            const contents = null as unknown as Electron.WebContents;
            const handler = (
              session.defaultSession as unknown as { permissionRequestHandler?: (...words: unknown[]) => void }
            ).permissionRequestHandler;
            if (handler === undefined) resolve(false);
            else handler(contents, permission, resolve, {});
          }),
      ),
    ),
  );
  expect(blanket).not.toContain(true);
});

test('the policy comes as a header of every answer, and lets no code in but our files', async ({
  started: { page },
}) => {
  const { url, asked, server } = await foreignServer();
  const policy = await page.evaluate(async () => (await fetch(location.href)).headers.get('content-security-policy'));
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe-|\*|https?:/);
  const meta = await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content');
  expect(policy).toBe(`${meta}; frame-ancestors 'none'`);

  const ran = await page.evaluate(async (remote) => {
    const mark = document.documentElement.dataset;
    const add = (fill: (script: HTMLScriptElement) => void): void => {
      const script = document.createElement('script');
      fill(script);
      document.head.append(script);
    };
    add((script) => {
      script.textContent = 'document.documentElement.dataset.ran = "inline"';
    });
    add((script) => {
      script.src = `${remote}/evil.js`;
    });
    add((script) => {
      script.src = 'data:text/javascript,document.documentElement.dataset.ran="data"';
    });
    add((script) => {
      script.src = URL.createObjectURL(new Blob(['document.documentElement.dataset.ran = "blob"']));
    });
    document.body.insertAdjacentHTML(
      'beforeend',
      '<img src="x" onerror="document.documentElement.dataset.ran=\'handler\'">',
    );
    const fetched = await fetch(`${remote}/data`).then(
      () => 'fetched',
      () => 'refused',
    );
    await new Promise((resolve) => setTimeout(resolve, 300));
    return { ran: mark.ran ?? 'nothing', fetched };
  }, url);
  expect(ran).toEqual({ ran: 'nothing', fetched: 'refused' });
  expect(asked).toEqual([]);
  server.close();
});

test('text is never made into code', async ({ started: { page } }) => {
  // In a timer, out of reach of the inspector, which may evaluate in spite of the policy.
  const tried = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const outcomes: string[] = [];
        addEventListener('securitypolicyviolation', ({ blockedURI }) => outcomes.push(blockedURI));
        setTimeout('document.documentElement.dataset.ran = "timer"', 0);
        setTimeout(() => resolve({ outcomes, ran: document.documentElement.dataset.ran ?? 'nothing' }), 200);
      }),
  );
  // A library of ours tries too, whether it may, and does without.
  expect(tried).toEqual({ outcomes: expect.arrayContaining(['eval']), ran: 'nothing' });
});

test('the app’s address serves the built page’s files and nothing else', async ({ started: { app, page } }) => {
  const paths = [
    '../main/index.js',
    '..%2fmain%2findex.js',
    '%2e%2e/%2e%2e/package.json',
    '..%5cmain%5cindex.js',
    '%00',
    '%E0%A4%A',
    'index.html%00.js',
    '/etc/passwd',
    '//etc/passwd',
    'assets',
    '',
    '?/../../main/index.js',
    'file:///etc/passwd',
  ];
  const answers = await app.evaluate(async ({ net }, all) => {
    const get = async (url: string, method = 'GET'): Promise<number> => {
      try {
        return (await net.fetch(url, { method })).status;
      } catch {
        return 0;
      }
    };
    return {
      index: await get('gantry://app/index.html'),
      query: await get('gantry://app/index.html?theme=dark#x'),
      paths: await Promise.all(all.map((path) => get(`gantry://app/${path}`))),
      hosts: await Promise.all(
        ['gantry://other/index.html', 'gantry://app.evil/index.html', 'gantry://app:80/x'].map((url) => get(url)),
      ),
      post: await get('gantry://app/index.html', 'POST'),
    };
  }, paths);
  expect(answers).toMatchObject({ index: 200, query: 200, post: 404 });
  expect(answers.paths.every((status) => status === 404 || status === 0)).toBe(true);
  expect(answers.hosts.every((status) => status === 404 || status === 0)).toBe(true);
  const found = await page.evaluate(() => fetch('gantry://app/../../package.json').then((answer) => answer.status));
  expect(found).toBe(404);
});
