import { type Arg, type Refusal, refuse } from '../arguments.ts';
import type { Call } from '../options.ts';
import type { ProgramTable } from './program.ts';

const about = '--help --version';
const none = { operands: 0, options: about };

/** Programs that report on the machine and its processes. */
export const systemPrograms: ProgramTable = {
  whoami: none,
  logname: none,
  arch: none,
  nproc: { operands: 0, options: `--all --ignore: ${about}` },
  tty: { operands: 0, options: `-s --silent --quiet ${about}` },
  id: { harmless: true, options: `-aZgGnruz --context --group --groups --name --real --user --zero ${about}` },
  groups: { harmless: true, options: about },
  users: { harmless: true, options: about },
  uname: {
    operands: 0,
    options: `-asnrvmpio --all --kernel-name --nodename --kernel-release --kernel-version --machine --processor --hardware-platform --operating-system ${about}`,
  },
  uptime: { operands: 0, options: `-phsV --pretty --since ${about}` },
  who: { options: `-abdHlmpqrstTuw --all --boot --heading --count --short --users ${about}` },
  w: { options: '-hsfoiuV --no-header --short --from' },
  last: { options: '-n:xFiawR', numeric: true },
  date: {
    options: `-ud:r:I?R --utc --universal --date: --reference: --iso-8601? --rfc-email --rfc-3339: ${about}`,
    // Anything but +format is a time to set.
    check: ({ operands }) => {
      const odd = operands.find((arg, index) => index > 0 || !arg.text.startsWith('+'));
      return odd === undefined ? undefined : refuse('date sets the clock to this.', odd);
    },
  },
  cal: { options: '-13jmnsywhNbCMA:B:' },
  // The other options ask name servers.
  hostname: { operands: 0, options: '-sI --short --all-ip-addresses --help --version' },
  hostid: none,
  free: {
    operands: 0,
    options:
      '-bkmghltvwV --bytes --kilo --mega --giga --tera --kibi --mebi --gibi --tebi --human --si --lohi --total --wide --help --version',
  },
  vmstat: { options: '-asdDnwtS:p:f' },
  ps: { judge: judgePs },
  pgrep: {
    options:
      '-d:lavwcfg:G:inoO:P:s:t:u:U:xr:V --delimiter: --list-name --list-full --inverse --count --full --pgroup: --group: --ignore-case --newest --oldest --older: --parent: --session: --terminal: --euid: --uid: --exact --runstates: --help --version',
  },
  pidof: { options: '-scqxz' },
  pstree: { options: '-aAcglnNpsStTuUVZH:' },
  top: { options: '-bcHiSn:o:p:u:U:d:w:e:E:1l:', check: checkTop },
  lsof: { options: '-i?p:u:c:d:s?nPtlaRUbOVvwNTg?' },
  ss: {
    // -K closes sockets, -D dumps to a file, -F reads a filter, -r asks name servers.
    options:
      '-tuwxlnpaemio46sHOhVZzbTdS0f: --tcp --udp --raw --unix --listening --numeric --processes --all --extended --memory --info --options --ipv4 --ipv6 --summary --no-header --oneline --family: --help --version',
  },
  netstat: {
    operands: 0,
    options:
      '-tuwxlnparisegvW46mo --tcp --udp --raw --unix --listening --numeric --programs --all --route --interfaces --statistics --extend --wide',
  },
  mount: { operands: 0, options: '-lvhVt: --help --version --show-labels --types:' },
  findmnt: {
    options: '-lnJPrRDbAasft:o:T:S:M:O:uvUC --json --list --raw --output: --types: --target: --help --version',
  },
  lsblk: {
    options:
      '-ADE:I:JMOPST?abde:filmno:prstw:x:zV --json --output: --all --bytes --fs --list --paths --help --version --nodeps --noheadings --pairs --raw --tree?',
  },
  lscpu: { options: '-abBcCeE?Jp?xyhV --json --all --extended? --parse? --help --version' },
  lsusb: { options: '-vtV' },
  lspci: { options: '-vnktmDxb' },
  lsmod: none,
  dmesg: {
    // -c and -C clear the buffer, -n, -D and -E change the console.
    options:
      '-TkxutLPhVl:f:S --ctime --kernel --decode --userspace --show-delta --nopager --level: --facility: --time-format: --color? --help --version',
  },
  sysctl: {
    options: '-anNebAqrX --all --names --values --ignore --pattern: --help --version',
    check: ({ operands }) => {
      const sets = operands.find(({ text }) => text.includes('='));
      return sets === undefined ? undefined : refuse('sysctl sets this value.', sets);
    },
  },
  journalctl: {
    options:
      '-n:u:bkp:rxo:eaqt: --lines: --unit: --boot? --dmesg --priority: --reverse --catalog --output: --since: --until: --no-pager --pager-end --all --quiet --identifier: --list-boots --disk-usage --no-hostname --utc --user --system --user-unit: --grep: --case-sensitive? --help --version',
  },
  systemctl: {
    options:
      '-alqt:n:p: --all --full --no-pager --no-legend --plain --quiet --type: --state: --lines: --property: --value --user --system',
    check: checkSystemctl,
  },
  getconf: { options: '-av:' },
  locale: { options: '-amckv --all-locales --charmaps --category-name --keyword-name --verbose --help --version' },
  tput: {
    options: '',
    check: ({ operands }) => {
      const odd = operands.find(
        ({ text }) => !/^(?:cols|lines|colors|bold|dim|smul|rmul|sgr0|rev|setaf|setab|op|\d+)$/.test(text),
      );
      return odd === undefined ? undefined : refuse('This use of tput may change the terminal.', odd);
    },
  },
  stty: { options: '-a --all', check: ({ operands }) => wordsOf(operands, ['size', 'speed']) },
  kill: {
    optionsFirst: true,
    options: '-l --list',
    check: ({ options, operands }) =>
      options.length > 0 && operands.length <= 1 ? undefined : refuse('kill sends a signal.'),
  },
  crontab: {
    operands: 0,
    options: '-l',
    check: ({ options }) => (options.length > 0 ? undefined : refuse('crontab replaces the table.')),
  },
  ip: { judge: judgeIp },
  ifconfig: { operands: 1, options: '-as' },
  dpkg: {
    options: '-lLsS --list --listfiles --status --search',
    check: ({ options }) => (options.length === 1 ? undefined : refuse('This use of dpkg is not a query.')),
  },
  sw_vers: { operands: 0, options: '--productName --productVersion --buildVersion' },
  sleep: {
    operands: 10,
    options: about,
    check: ({ operands }) => {
      const odd = operands.find(({ text }) => !/^\d*\.?\d+[smhd]?$/.test(text));
      return odd === undefined ? undefined : refuse('This is not a time to wait.', odd);
    },
  },
  whereis: { options: '-bmsuglB:M:S:f' },
  man: { options: '', check: checkManual },
};

function wordsOf(operands: readonly Arg[], words: readonly string[]): Refusal | undefined {
  const odd = operands.find(({ text }) => !words.includes(text));
  return odd === undefined ? undefined : refuse(`${odd.text} is not known to be harmless here.`, odd);
}

/** ps, where `e` without a dash prints the environment of other processes. */
function judgePs(args: readonly Arg[]): Refusal | undefined {
  let takesValue = false;
  for (const arg of args) {
    if (!arg.fixed && !arg.number) return refuse('The value of this part is not known.', arg);
    if (takesValue || /^(?:-p)?\d+(?:,\d+)*$/.test(arg.text)) {
      if (/env/i.test(arg.text)) return refuse('ps prints environments here.', arg);
      takesValue = false;
    } else if (/^--(?:sort|ppid|pid|user|format|cols|columns|width|lines|rows|tty|group)=/.test(arg.text)) {
      if (/env/i.test(arg.text)) return refuse('ps prints environments here.', arg);
    } else if (/^--(?:sort|ppid|pid|user|format)$/.test(arg.text)) {
      takesValue = true;
    } else if (/^--(?:forest|no-headers|no-heading|headers|help|version)$/.test(arg.text)) {
    } else if (/^-[AadefFHjlLmMNTVwxyZrcSvhX]*[oOpuUtgGCsq]?$/.test(arg.text) && arg.text !== '-') {
      takesValue = /[oOpuUtgGCsq]$/.test(arg.text);
    } else if (/^[aAcfghHjlmrSTuvwxXZ]*[opUtO]?$/.test(arg.text)) {
      takesValue = /[opUtO]$/.test(arg.text);
    } else {
      return refuse(`${arg.text} is not an option of ps that is known to be harmless.`, arg);
    }
  }
  return undefined;
}

/** Without batch mode top is a dialog, and without a count it does not end. */
function checkTop({ options, operands }: Call): Refusal | undefined {
  const has = (name: string) => options.some((option) => option.name === name);
  if (operands.length === 0 && ((has('-b') && has('-n')) || has('-l'))) return undefined;
  return refuse('top waits for keys unless it has -b and -n.');
}

const systemctlVerbs = new Set(
  'status is-active is-enabled is-failed list-units list-unit-files list-timers list-sockets list-jobs list-dependencies show cat get-default'.split(
    ' ',
  ),
);

function checkSystemctl({ operands }: Call): Refusal | undefined {
  const [verb] = operands;
  if (verb === undefined || systemctlVerbs.has(verb.text)) return undefined;
  return refuse('systemctl changes services here.', verb);
}

const ipObjects = new Set('a addr address l link r route ro n neigh neighbor neighbour rule maddress'.split(' '));

function judgeIp(args: readonly Arg[]): Refusal | undefined {
  const words = args.filter(
    ({ text }) => !/^-(?:[46chjosdpN]|br|brief|color|json|pretty|stats?|details?|oneline|human)$/.test(text),
  );
  const [object, verb, ...rest] = words;
  const odd = words.find((arg) => !arg.fixed || arg.text.startsWith('-'));
  if (odd !== undefined) return refuse('This option of ip is not known to be harmless.', odd);
  if (object === undefined || !ipObjects.has(object.text))
    return refuse('This use of ip is not known to only print.', object);
  if (verb !== undefined && !/^(?:show|list|ls|lst|get)$/.test(verb.text))
    return refuse('ip changes the network here.', verb);
  const value = rest.find(({ text }) => !/^[\w.:/@-]+$/.test(text));
  return value === undefined ? undefined : refuse('This argument of ip is not understood.', value);
}

/** `man page` prints to a pipe here. A name with a slash would be a file for groff to run through. */
function checkManual({ operands }: Call): Refusal | undefined {
  if (operands.length === 0) return refuse('man has no page to show.');
  const odd = operands.find(({ text }) => !/^[\w.+:@[-]+$/.test(text));
  return odd === undefined ? undefined : refuse('This is not the plain name of a manual page.', odd);
}
