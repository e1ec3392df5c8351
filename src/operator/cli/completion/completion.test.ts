import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { Argument, Command, Option } from 'commander';
import { bashScript } from './bash.ts';
import { placesOf } from './command-words.ts';
import { fishScript } from './fish.ts';
import { zshScript } from './zsh.ts';

function program(): Command {
  const sauda = new Command('sauda').version('1');
  const user = sauda.command('user').alias('users').description("the users' own");
  user.command('add <userId>').option('--name <name>', 'the name').option('--exchange <exchange>', 'the place');
  user.commands[0]?.addOption(new Option('--kind <kind>', 'of which kind').choices(['NSE', 'NFO']));
  user.command('list').option('--json', 'as JSON: all of it');
  sauda.command('import <file>').option('--to <folder>', 'where');
  sauda.command('shell').addArgument(new Argument('<shell>').choices(['bash', 'zsh']));
  return sauda;
}

/** The words that bash offers after these; the last of them is the one under the cursor. */
function offered(...words: string[]): string[] {
  const list = words.map((word) => `'${word}'`).join(' ');
  const script = [
    bashScript(placesOf(program())),
    `COMP_WORDS=(sauda ${list}); COMP_CWORD=${words.length}; _sauda; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ].join('\n');
  const text = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8', cwd: import.meta.dirname });
  return text.split('\n').filter((line) => line !== '');
}

test('bash completes commands, their aliases, flags, and the values of flags and arguments', () => {
  assert.deepEqual(offered(''), ['user', 'import', 'shell', 'help']);
  assert.deepEqual(offered('us'), ['user']);
  assert.deepEqual(offered('user', ''), ['add', 'list', 'help']);
  assert.deepEqual(offered('users', 'l'), ['list']);
  assert.deepEqual(offered('user', 'add', '--'), ['--name', '--exchange', '--kind', '--help']);
  assert.deepEqual(offered('user', 'add', '--kind', 'N'), ['NSE', 'NFO']);
  assert.deepEqual(offered('user', 'add', '--name', ''), [], 'a name is for the user to think of');
  assert.deepEqual(offered('shell', ''), ['bash', 'zsh']);
  assert.deepEqual(offered('import', 'ba'), ['bash.ts'], 'a file of the folder');
  assert.deepEqual(offered('import', '--to', 'z'), ['zsh.ts']);
});

test('the scripts of zsh and fish hold every command and flag with its purpose, quoted', () => {
  const zsh = zshScript(placesOf(program()));
  assert.match(zsh, /'\/user'\|'\/users'\) at='\/user'/);
  assert.ok(zsh.includes("'user:the users'\\'' own'"));
  assert.match(zsh, /'--json:as JSON: all of it'/);
  assert.match(zsh, /'\/user\/add --kind'\) compadd -- 'NSE' 'NFO'; return/);
  const fish = fishScript(placesOf(program()));
  assert.match(fish, /-a 'user' -d 'the users\\' own'/);
  assert.match(fish, /-l kind -x -a 'NSE NFO' -d 'of which kind'/);
  assert.match(fish, /__sauda_at "\/import"' -F/);
});
