import { describe, expect, test } from 'vitest';
import { findAwkTrouble } from './awk-program.ts';
import { findSedTrouble } from './sed-script.ts';

describe('sed scripts that only print', () => {
  test.each([
    'p',
    '1,3p',
    '$=',
    '2~3p;0,/x/d',
    '/a/,/b/!p',
    '/a/I,+2{p;n;d}',
    '\\,a/b,p',
    's/a/w/g',
    's|a|e|2p',
    's/[^/]*$//',
    's/[^\\/]*$//',
    's#\\([a-z]*\\)#\\1#I;y/abc/xwe/',
    ':a;N;$!ba;s/\\n/ /g',
    '$a w out',
    '# w out\np',
    '/w/d;/e/q5',
    '/[/]w out/p',
  ])('%s', (script) => {
    expect(findSedTrouble(script)).toBeUndefined();
  });
});

describe('sed scripts that may do more', () => {
  test.each([
    'w out',
    '1w out',
    '/x/w out',
    '1{p;w out\n}',
    'e touch P',
    'e',
    'r x',
    'R x',
    'W x',
    's/a/b/w out',
    's/a/b/gpw out',
    's/a/b/e',
    's/a/b/Ie',
    's#a#b#w out',
    's/a/b/;w out',
    's/[^/]*$//w out',
    's/[\\]/x/;s/a/]/;/w f/p',
    's/[/]x/w out/',
    'y/a/b/;e x',
    'a\\\ntext\nw out',
    'a x\\\ny',
    ':a w out',
    'b x;w out',
    'p w out',
    '}w out',
    '{p',
    's/a/b',
    'F',
    'v',
    '\n\n1!{e touch P\n}',
  ])('%s', (script) => {
    expect(findSedTrouble(script)).toBeDefined();
  });
});

describe('awk programs that only print', () => {
  test.each([
    '{print $1}',
    'NR>=2 && NR<=4',
    '$3 > 5 { print $1 " > " $2 }',
    '/a|b/ { n++ } END { print n }',
    '{ print ($1 > 2) ? "a" : "b" }',
    '{ print $1 / 2, $2/3 }',
    'BEGIN { print (a + b) / 2 }',
    '{ gsub(/[^a-z]/, "|"); print } # > x',
    '{ printf "%s > %s\\n", $1, $2 }',
    '!seen[$0]++',
    '{ a[$1]++ } END { for (k in a) print k, a[k] }',
    'function f(x) { return x / 2 } { print f($1) }',
    'length($0) > 80',
    '{ if ($1 > 3) { print } else print "x > y" }',
  ])('%s', (program) => {
    expect(findAwkTrouble(program)).toBeUndefined();
  });
});

describe('awk programs that may do more', () => {
  test.each([
    '{ print > "out" }',
    '{ print $1, $2 >> "out" }',
    '{ print ($1) > "out" }',
    '{ print ($1)($2) > $3 }',
    '{ printf "x", 1 > f }',
    '{ print a,\n b > "out" }',
    '{ print | "cat > out" }',
    '{ print |& "cmd" }',
    'BEGIN { system("touch P") }',
    'BEGIN { "date" | getline x }',
    'BEGIN { getline x < "f" }',
    'BEGIN { awk::system("x") }',
    '@load "fork"',
    'BEGIN { f = "system"; @f("x") }',
    'BEGIN { ARGV[1] = "/inet/tcp/0/x/80" }',
    'BEGIN { if (1) /"/; system("touch P"); y = "a/" }',
    'BEGIN { x = length /"/; system("touch P"); y = "/" }',
    '{ print "a',
    '/[/]/ { print }',
    '{ print \\\n > "out" }',
    ') { print',
  ])('%s', (program) => {
    expect(findAwkTrouble(program)).toBeDefined();
  });
});
