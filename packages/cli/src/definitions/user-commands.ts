// Commands for the data of people. They call the API of a server.
import type { Command } from 'commander'
import { formatTime } from '../terminal/printing.ts'
import { botOption, connecting, examples, run, yesOption } from './command-parts.ts'
import { addList, noun } from './verbs.ts'

export function addUserCommands(program: Command): void {
  const users = noun(program, 'users', 'users of a bot, and their personal data')
  connecting(users.command('export <userId>'))
    .description('write everything about a user of a bot to a .tar.gz file')
    .addOption(botOption())
    .option('--dry-run', 'only count what would be exported')
    .option('-o, --output <file>', 'output file, by default <userId>.tar.gz')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'botstead users export user_01K… --dry-run',
        'botstead users export user_01K… -o ana.tar.gz',
      ),
    )
    .action(
      run(async (id, options) => (await import('../commands/users.ts')).runExport(id, options)),
    )
  connecting(users.command('erase [userId]'))
    .description('erase everything about a user of a bot, and write the signed receipt')
    .addOption(botOption())
    .option('--dry-run', 'only count what would be erased')
    .addOption(yesOption())
    .option('--receipt <file>', 'erase again by this receipt, after a backup was restored')
    .option('-o, --output <file>', 'file of the receipt, by default <erasureId>.receipt.json')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'botstead users erase user_01K… --dry-run',
        'botstead users erase user_01K… -o ana.receipt.json',
        'botstead users erase --receipt ana.receipt.json',
      ),
    )
    .action(
      run(async (id, options) => (await import('../commands/users.ts')).runErase(id, options)),
    )

  const receipts = noun(program, 'receipts', 'receipts of erasures')
  addList(receipts, 'list', {
    scope: 'bot',
    about: 'list the erasures of a bot, newest first',
    examples: ['botstead receipts', 'botstead receipts list --json > all.jsonl'],
    read: ({ client, pages }) =>
      pages(async (query) => {
        const { erasures, meta } = await client.platform.listErasures({ query })
        return { items: erasures, ...meta }
      }),
    toValue: ({ receipt }) => receipt,
    columns: {
      id: ({ id }) => id,
      created: ({ createdAt }) => formatTime(createdAt),
      state: ({ state }) => state,
      user: ({ userId }) => userId,
    },
  })
  connecting(receipts.command('verify <file>'))
    .description('check that a receipt is unchanged and that this installation signed it')
    .option('--json', 'print JSON')
    .addHelpText('after', examples('botstead receipts verify ana.receipt.json'))
    .action(
      run(async (file, options) =>
        (await import('../commands/operator/receipts.ts')).runVerifyReceipt(file, options),
      ),
    )

  const retention = program
    .command('retention')
    .description('how long the server keeps data of a bot')
  connecting(retention.command('get', { isDefault: true }))
    .description('print the days by kind of data')
    .addOption(botOption())
    .option('--json', 'print JSON')
    .addHelpText('after', examples('botstead retention get', 'botstead retention get --json'))
    .action(
      run(async (options) =>
        (await import('../commands/operator/retention.ts')).runGetRetention(options),
      ),
    )
  connecting(retention.command('set <change...>'))
    .description('change rules: <kind>=<days>, or <kind>=none')
    .addOption(botOption())
    .option('--dry-run', 'only count what the server would delete now')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      examples(
        'botstead retention set conversations=365 logs=14 --dry-run',
        'botstead retention set conversations=365 logs=14',
      ),
    )
    .action(
      run(async (changes, options) =>
        (await import('../commands/operator/retention.ts')).runSetRetention(changes, options),
      ),
    )
}
