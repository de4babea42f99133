import type TurndownService from 'turndown';

/** Where a page has more than this, the rest is left out: the time grows faster than the text. */
const MOST_CHARACTERS = 2_000_000;

/** Parts of a page that say nothing to a reader. */
const SILENT = [
  'title',
  'script',
  'style',
  'noscript',
  'template',
  'iframe',
  'object',
  'canvas',
  'form',
  'dialog',
] as const;

/**
 * HTML as Markdown, links absolute. What is cut off is said at the end.
 * @param url where the page came from.
 */
export async function htmlToMarkdown(html: string, url: string): Promise<string> {
  const [{ default: Turndown }, { gfm }] = await Promise.all([import('turndown'), import('turndown-plugin-gfm')]);
  const service = new Turndown({
    headingStyle: 'atx',
    codeBlockStyle: 'fenced',
    bulletListMarker: '-',
    hr: '---',
  });
  service.use(gfm);
  service.remove([...SILENT]);
  service.remove((node) => node.nodeName === 'SVG' || node.nodeName === 'svg');
  addLinks(service, url);
  const isCut = html.length > MOST_CHARACTERS;
  const markdown = service.turndown(isCut ? html.slice(0, MOST_CHARACTERS) : html);
  const text = markdown.replace(/\n{3,}/g, '\n\n').trim();
  const title = titleOf(html);
  return [
    ...(title === undefined || text.startsWith('# ') ? [] : [`# ${title}\n`]),
    text,
    ...(isCut ? ['\n(The page is longer; the rest was left out.)'] : []),
  ].join('\n');
}

function addLinks(service: TurndownService, url: string): void {
  service.addRule('link', {
    filter: (node) => node.nodeName === 'A' && node.getAttribute('href') !== null,
    replacement: (content, node) => {
      const target = absolute((node as Element).getAttribute('href') ?? '', url);
      const text = content.replace(/\s*\n\s*/g, ' ').trim();
      if (target === undefined || text === '') return text;
      return `[${text}](${target})`;
    },
  });
  service.addRule('image', {
    filter: 'img',
    replacement: (_content, node) => {
      const alt = ((node as Element).getAttribute('alt') ?? '').replace(/\s+/g, ' ').trim();
      const source = absolute((node as Element).getAttribute('src') ?? '', url);
      // A picture without words and one that lies in the page itself say nothing as text.
      return alt === '' ? '' : source === undefined ? alt : `![${alt}](${source})`;
    },
  });
}

/** A link of the web; undefined for scripts, data and places on the same page. */
function absolute(link: string, url: string): string | undefined {
  if (link.trim() === '' || link.startsWith('#')) return undefined;
  try {
    const { protocol, href } = new URL(link, url);
    return ['http:', 'https:', 'mailto:'].includes(protocol)
      ? href.replaceAll('(', '%28').replaceAll(')', '%29')
      : undefined;
  } catch {
    return undefined;
  }
}

function titleOf(html: string): string | undefined {
  const [, title = ''] = /<title[^>]*>([^<]{1,300})<\/title>/i.exec(html.slice(0, 100_000)) ?? [];
  const text = decoded(title).replace(/\s+/g, ' ').trim();
  return text === '' ? undefined : text;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };
const decoded = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[String(name).toLowerCase()] ?? whole;
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
