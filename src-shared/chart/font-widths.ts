import { FONTS, type FontName, type Measure } from './fonts.ts';

/**
 * Advance widths of Inter (at weights 450, 500 and 650) in thousandths of an em, as Chromium measures them: ASCII from
 * the space on, then `SIGNS`. Where there is no window texts are measured by this table.
 */
const SIGNS = '…·×–—‘’“”›‹→←↑↓≈§°';
const WIDTHS = {
  light:
    '274 296 480 636 644 987 648 306 367 367 511 665 296 461 296 365 638 411 613 622 651 598 625 568 624 625 296 309 665 665 665 519 974 699 656 732 722 602 590 747 744 271 573 680 565 908 755 766 640 767 646 644 649 742 699 994 691 688 635 367 365 367 474 459 330 564 615 574 615 585 375 616 597 247 247 554 247 882 596 602 615 615 382 533 333 597 568 824 552 569 556 434 339 434 665 887 296 665 500 1000 269 269 457 456 392 392 838 838 846 846 838 568 456',
  medium:
    '267 304 494 639 646 993 653 313 369 369 521 667 303 462 303 370 646 415 616 627 656 603 630 571 629 630 303 315 667 667 667 527 982 709 657 733 722 603 589 748 745 272 575 688 565 913 756 767 642 769 648 646 653 740 709 1003 701 696 641 369 370 369 477 463 337 568 618 577 618 587 379 620 602 252 252 559 252 888 602 604 618 618 387 539 340 602 575 829 557 575 559 440 346 440 667 910 303 667 500 1000 277 277 474 471 400 400 838 838 858 858 838 568 457',
  strong:
    '244 330 537 646 652 1010 667 333 375 375 549 676 326 466 326 384 667 427 626 641 671 617 645 579 646 645 326 336 676 676 676 551 1007 737 661 738 722 606 587 750 746 279 582 711 565 927 761 770 646 775 654 652 664 734 737 1029 729 722 658 375 384 375 484 473 358 577 627 585 627 594 394 628 618 266 266 575 266 906 617 611 627 627 402 555 360 618 593 845 574 595 569 462 365 462 676 979 326 676 500 1000 302 302 523 517 423 423 838 838 893 893 838 568 459',
} as const;
type Weight = keyof typeof WIDTHS;

const WEIGHT_OF: Readonly<Record<FontName, Weight | 'mono'>> = {
  bar: 'medium',
  strong: 'strong',
  queue: 'medium',
  micro: 'strong',
  ruler: 'light',
  mono: 'mono',
  pill: 'strong',
};

const MONO = 600;
/** Letters with marks, and those of other alphabets: as wide as the widest of them are. */
const OTHER = 780;
const WIDE = 1000;
const isWide = (code: number): boolean =>
  code >= 0x1100 && (code < 0x1200 || (code >= 0x2e80 && code < 0xa4d0) || code >= 0xac00);

const tables = new Map<Weight, ReadonlyMap<string, number>>();

function tableOf(weight: Weight): ReadonlyMap<string, number> {
  let table = tables.get(weight);
  if (table === undefined) {
    const characters = [...Array.from({ length: 95 }, (_, n) => String.fromCharCode(32 + n)), ...SIGNS];
    const widths = WIDTHS[weight].split(' ');
    table = new Map(characters.map((character, n) => [character, Number(widths[n])]));
    tables.set(weight, table);
  }
  return table;
}

/** Width of a text in CSS px without a window: exact for ASCII, rather too wide for the rest. */
export const tableMeasure: Measure = (text, font) => {
  const weight = WEIGHT_OF[font];
  let sum = 0;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (isWide(code)) sum += WIDE;
    else if (weight === 'mono') sum += MONO;
    else sum += tableOf(weight).get(character) ?? OTHER;
  }
  return (sum * FONTS[font].size) / 1000;
};
