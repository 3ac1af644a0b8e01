// Commands for who looks after an installation.
import type { Command } from 'commander'
import { connecting, examples, run } from './command-parts.ts'

export function addOperatorCommands(program: Command): void {
  program
    .command('start')
    .description('start the server (settings: BOTSTEAD_PORT, BOTSTEAD_HOST, BOTSTEAD_DATA, DATABASE_URL …)')
    .addHelpText(
      'after',
      examples(
        'botstead start',
        'BOTSTEAD_PORT=8080 BOTSTEAD_DATA=/srv/botstead botstead start',
        'DATABASE_URL=postgres://… botstead start',
      ),
    )
    .action(run(async () => (await import('./commands/start.ts')).start()))

  program
    .command('migrate')
    .description('bring the database up to date and end; start does the same')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('botstead migrate', 'DATABASE_URL=postgres://… botstead migrate'))
    .action(run(async (options) => (await import('./commands/migrate.ts')).migrate(options)))

  program
    .command('doctor')
    .description('look the installation over and say what to do; exit code 1 when something is bad')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'botstead doctor',
        'DATABASE_URL=postgres://… BOTSTEAD_PUBLIC_URL=https://bots.example.org botstead doctor',
      ),
    )
    .action(run(async (options) => (await import('./commands/doctor.ts')).doctor(options)))

  program
    .command('export <workspaceId>')
    .description('write all of a workspace into one file, while its server runs or not')
    .option('-o, --output <file>', 'by default <workspaceId>.botstead, here')
    .option(
      '--passphrase-file <file>',
      'locks the secrets with what is in this file (or in BOTSTEAD_PASSPHRASE)',
    )
    .option('--no-secrets', 'leave secrets, configurations and versions of bots out')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'botstead export 11111111-1111-1111-aaaa-111111111111 --passphrase-file passphrase.txt',
        'BOTSTEAD_DATA=/srv/botstead botstead export 11111111-1111-1111-aaaa-111111111111 --no-secrets -o workspace.botstead',
      ),
    )
    .action(
      run(async (workspaceId, options) =>
        (await import('./commands/export.ts')).exportOne(workspaceId, options),
      ),
    )

  program
    .command('import <archive>')
    .description('take in a workspace that was exported, with its ids; all of it, or nothing')
    .option(
      '--passphrase-file <file>',
      'the passphrase with which it was made is in this file (or in BOTSTEAD_PASSPHRASE)',
    )
    .option('--signed-by <fingerprint>', 'only if it is signed by this installation: what its export printed')
    .option('--max-mb <number>', 'how much it may unpack to; by default 1024, or a hundred times its size')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'botstead import workspace.botstead --passphrase-file passphrase.txt',
        'BOTSTEAD_PASSPHRASE=… botstead import workspace.botstead --signed-by 5f0c…',
      ),
    )
    .action(
      run(async (archive, options) => (await import('./commands/import.ts')).importOne(archive, options)),
    )

  program
    .command('backup <file>')
    .description(
      'write the whole installation into one file: database and files, at one moment, while servers run or not',
    )
    .option('--with-key', 'with the keys and the first token: whoever has the file then has everything')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples('botstead backup botstead.backup', 'botstead backup "/mnt/backups/$(date +%F).backup" --json'),
    )
    .action(run(async (file, options) => (await import('./commands/backup.ts')).backUp(file, options)))

  program
    .command('restore <file>')
    .description(
      'make an installation out of a backup: in an empty database, and a data folder that no server uses',
    )
    .option('--max-mb <number>', 'how much it may unpack to; by default 1024, or a hundred times its size')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'BOTSTEAD_DATA=/srv/restored botstead restore botstead.backup',
        'DATABASE_URL=postgres://… botstead restore botstead.backup',
      ),
    )
    .action(run(async (file, options) => (await import('./commands/restore.ts')).restore(file, options)))

  const audit = program.command('audit').description('what is remembered of changes to the workspace')
  connecting(audit.command('verify'))
    .description('check that no audit record was changed, removed or moved; exit code 1 when one was')
    .option('--noted <number:hash>', 'what this command printed at an earlier time')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('botstead audit verify', 'botstead audit verify --noted 120:5f0c…'))
    .action(run(async (options) => (await import('./commands/audit.ts')).verifyAudit(options)))

  const keys = program.command('keys').description('the master key, which opens all secrets')
  keys
    .command('rotate')
    .description('put a new master key in place; servers that run need no restart')
    .option(
      '--both',
      'the one before stays good, until "botstead keys finish": for servers with key files of their own',
    )
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples(
        'botstead keys rotate',
        'BOTSTEAD_NEW_MASTER_KEY=$(openssl rand -hex 32) botstead keys rotate',
      ),
    )
    .action(run(async (options) => (await import('./commands/keys.ts')).rotateKeys(options)))
  keys
    .command('finish')
    .description('from now on only the present master key is good')
    .option('--json', 'as JSON')
    .addHelpText('after', examples('botstead keys finish'))
    .action(run(async (options) => (await import('./commands/keys.ts')).finishKeys(options)))

  program
    .command('health')
    .description('say whether the server is ready to work; exit code 1 when not')
    .option('--url <url>', 'the server, by default the one of the data folder')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      examples('botstead health', 'botstead health --url https://bots.example.org --json'),
    )
    .action(run(async (options) => (await import('./commands/health.ts')).health(options)))
}
