// Commands for the data of people. They call the API of a server.
import type { Person, PersonUser } from '@botstead/contract'
import { type Command, Option } from 'commander'
import type { SharedOptions } from '../server/context.ts'
import { formatTime, printList, type Shape } from '../terminal/printing.ts'
import { addCommand, botOption, connectionOptions, yesOption } from './command-parts.ts'
import { addOperation, addOperationList } from './operation-verbs.ts'
import { addVerb, noun } from './verbs.ts'

const onlyUserOption = () =>
  new Option('--only-user', 'only this user, not the others that are the same person')

/** Several users as one person. */
function addPersonVerbs(users: Command): void {
  addVerb(users, 'person <id>', {
    about: 'show the users that are the same person, with their addresses',
    examples: [
      'botstead users person user_01K…',
      'botstead users person user_01K… --json',
    ],
    run: async ({ client, options }, id) =>
      printPerson(await client.platform.getPerson({ params: { id: id! } }), options),
  })
  addVerb(users, 'merge <id> <otherId>', {
    about: 'make two users one person, which shares the variables of the user',
    examples: ['botstead users merge user_01K… user_01M…'],
    async run({ client, options }, id, otherId) {
      const body = { userIds: [otherId!] }
      await printPerson(
        await client.platform.mergeUsers({ params: { id: id! }, body }),
        options,
      )
    },
  })
  addOperation(users, 'split <id>', {
    operation: 'platform.splitUser',
    about: 'make a user a person alone, with its own variables',
    examples: ['botstead users split user_01K…'],
    done: (_person, id) => `${id} is a person alone`,
  })
  addOperationList(users, 'suggestions', {
    operation: 'platform.listMergeSuggestions',
    about: 'list users with the same address, which may be one person',
    options: [new Option('--user <id>', 'only of this user')],
    fields: { user: 'userId' },
    examples: [
      'botstead users suggestions',
      'botstead users suggestions --user user_01K…',
    ],
    columns: {
      kind: ({ kind }) => kind,
      address: ({ address }) => address,
      users: ({ users }) => users.map(({ user }) => user.id).join(' '),
    },
  })
}

const printPerson = ({ person }: { person: Person }, options: SharedOptions) =>
  printList(person.users, personShape, options)

const personShape: Shape<PersonUser> = {
  columns: {
    id: ({ user }) => user.id,
    integration: ({ integration }) => integration,
    'joined by': ({ joinedBy }) => joinedBy,
    addresses: ({ addresses }) =>
      addresses
        .map(({ address, verifiedBy }) => `${address} (${verifiedBy ?? 'not verified'})`)
        .join(', '),
    name: ({ user }) => user.name,
  },
}

export function addUserCommands(program: Command): void {
  const users = noun(program, 'users', 'users of a bot, and their personal data')
  addPersonVerbs(users)
  addCommand(users, 'export <userId>', {
    about: 'write everything about a person, as all users that it is, to a .tar.gz file',
    options: [
      ...connectionOptions(),
      botOption(),
      onlyUserOption(),
      new Option('--dry-run', 'only count what would be exported'),
      new Option('-o, --output <file>', 'output file, by default <userId>.tar.gz'),
    ],
    examples: [
      'botstead users export user_01K… --dry-run',
      'botstead users export user_01K… -o ana.tar.gz',
    ],
    run: async (id, options) =>
      (await import('../commands/users.ts')).runExport(id, options),
  })
  addCommand(users, 'erase [userId]', {
    about:
      'erase everything about a person, as all users that it is, and write the signed receipts',
    options: [
      ...connectionOptions(),
      botOption(),
      onlyUserOption(),
      new Option('--dry-run', 'only count what would be erased'),
      yesOption(),
      new Option(
        '--receipt <file>',
        'erase again by this receipt, after a backup was restored',
      ),
      new Option(
        '-o, --output <file>',
        'file of the receipt, by default <erasureId>.receipt.json',
      ),
    ],
    examples: [
      'botstead users erase user_01K… --dry-run',
      'botstead users erase user_01K… -o ana.receipt.json',
      'botstead users erase --receipt ana.receipt.json',
    ],
    run: async (id, options) =>
      (await import('../commands/users.ts')).runErase(id, options),
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
      (await import('../commands/operator/retention.ts')).runSetRetention(
        changes,
        options,
      ),
  })
}
