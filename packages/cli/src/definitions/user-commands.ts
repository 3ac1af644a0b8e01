// Commands for the data of people. They call the API of a server.
import { type Command, Option } from 'commander'
import { formatTime } from '../terminal/printing.ts'
import { addCommand, botOption, connectionOptions, yesOption } from './command-parts.ts'
import { addOperationList } from './operation-verbs.ts'
import { noun } from './verbs.ts'

export function addUserCommands(program: Command): void {
  const users = noun(program, 'users', 'users of a bot, and their personal data')
  addCommand(users, 'export <userId>', {
    about: 'write everything about a user of a bot to a .tar.gz file',
    options: [
      ...connectionOptions(),
      botOption(),
      new Option('--dry-run', 'only count what would be exported'),
      new Option('-o, --output <file>', 'output file, by default <userId>.tar.gz'),
    ],
    examples: [
      'botstead users export user_01K… --dry-run',
      'botstead users export user_01K… -o ana.tar.gz',
    ],
    run: async (id, options) => (await import('../commands/users.ts')).runExport(id, options),
  })
  addCommand(users, 'erase [userId]', {
    about: 'erase everything about a user of a bot, and write the signed receipt',
    options: [
      ...connectionOptions(),
      botOption(),
      new Option('--dry-run', 'only count what would be erased'),
      yesOption(),
      new Option('--receipt <file>', 'erase again by this receipt, after a backup was restored'),
      new Option('-o, --output <file>', 'file of the receipt, by default <erasureId>.receipt.json'),
    ],
    examples: [
      'botstead users erase user_01K… --dry-run',
      'botstead users erase user_01K… -o ana.receipt.json',
      'botstead users erase --receipt ana.receipt.json',
    ],
    run: async (id, options) => (await import('../commands/users.ts')).runErase(id, options),
  })

  const receipts = noun(program, 'receipts', 'receipts of erasures')
  addOperationList(receipts, 'list', {
    operation: 'platform.listErasures',
    about: 'list the erasures of a bot, newest first',
    examples: ['botstead receipts', 'botstead receipts list --json > all.jsonl'],
    toValue: ({ receipt }) => receipt,
    columns: {
      id: ({ id }) => id,
      created: ({ createdAt }) => formatTime(createdAt),
      state: ({ state }) => state,
      user: ({ userId }) => userId,
    },
  })
  addCommand(receipts, 'verify <file>', {
    about: 'check that a receipt is unchanged and that this installation signed it',
    options: [...connectionOptions()],
    examples: ['botstead receipts verify ana.receipt.json'],
    run: async (file, options) =>
      (await import('../commands/operator/receipts.ts')).runVerifyReceipt(file, options),
  })

  const retention = program
    .command('retention')
    .description('how long the server keeps data of a bot')
  addCommand(retention, 'get', {
    about: 'print the days by kind of data',
    options: [...connectionOptions(), botOption()],
    examples: ['botstead retention get', 'botstead retention get --json'],
    isDefault: true,
    run: async (options) =>
      (await import('../commands/operator/retention.ts')).runGetRetention(options),
  })
  addCommand(retention, 'set <change...>', {
    about: 'change rules: <kind>=<days>, or <kind>=none',
    options: [
      ...connectionOptions(),
      botOption(),
      new Option('--dry-run', 'only count what the server would delete now'),
    ],
    examples: [
      'botstead retention set conversations=365 logs=14 --dry-run',
      'botstead retention set conversations=365 logs=14',
    ],
    run: async (changes, options) =>
      (await import('../commands/operator/retention.ts')).runSetRetention(changes, options),
  })
}
