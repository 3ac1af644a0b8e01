import { inLanguage } from '../in-language.ts'
import { amount } from './amount.ts'

export const serverSettings = inLanguage('serverSettings', {
  title: 'Server settings',
  hint:
    'Settings of the whole installation. A change takes effect at once, on all servers, without a restart. ' +
    'Keys and passwords are stored encrypted and never shown again.',
  setBy: (variable: string) => `Set by ${variable} on the server`,
  setByHint:
    'A variable of the environment wins over this page. To change the setting here, remove the variable on ' +
    'the server and restart it.',
  test: 'Test',
  testing: 'Testing …',
  works: 'It works',
  worksNot: 'It does not work',
  notSaved: 'Not saved yet.',
  saveAnyway: 'Save anyway',
  remove: 'Remove',
  removeOne: (setting: string) => `Remove the setting "${setting}"`,
  removeText: 'The server continues with its default at once.',
  removed: 'Removed',
  stored: 'stored',
  storedHint: 'Leave it empty to keep the stored one.',
  address: {
    title: 'Public address',
    hint:
      'The address at which visitors, messengers and members reach this server from the internet. Links, ' +
      'webhooks and the code for websites contain it.',
    url: 'Address',
    placeholder: 'https://bots.example.org',
    inUse: (url: string) => `In use now: ${url}`,
    removeText: 'Links and webhooks get the address on which the server listens.',
    after:
      'After a change, save the configuration of each connected messenger again: it still sends to the ' +
      'former address. Members sign in again at the new one.',
    open: (url: string) => `Open the dashboard at ${url}`,
  },
  model: {
    title: 'Language model',
    hint:
      'The model `auto` of all bots, computed columns and AI cards. Its provider gets the texts that bots ' +
      'send to it, and charges you.',
    type: 'Provider',
    types: {
      openai: 'OpenAI',
      anthropic: 'Anthropic',
      google: 'Google',
      mistral: 'Mistral',
      'openai-compatible': 'Another one, or a model on your own machine',
    },
    url: 'Address',
    urlHint:
      'Of an OpenAI-compatible API; mostly it ends with /v1. Ollama: http://127.0.0.1:11434/v1',
    ownUrl: "the provider's own",
    model: 'Model',
    modelHint: 'The name as the documentation of the provider writes it.',
    key: 'Key',
    removeText: 'Bots and columns that need a model fail until there is another one.',
  },
  embeddings: {
    title: 'Search by meaning',
    hint:
      'The model that compares questions with your documents. Without it, the included model runs on this ' +
      'machine; it knows English only. After a change, the server computes all documents again, which ' +
      'takes minutes to hours; meanwhile it searches by words.',
    removeText:
      'The server continues with the included model, and computes all documents again.',
  },
  backups: {
    title: 'Backup schedule',
    hint: 'Backups of the whole installation. The page "Installation" lists them, and restores one.',
    when: 'When',
    times: {
      '0 3 * * *': 'Every night at 3:00 UTC',
      '0 */6 * * *': 'Every six hours',
      '0 3 * * 0': 'Sundays at 3:00 UTC',
      other: 'Another time',
    },
    schedule: 'Schedule',
    scheduleHint:
      'Five cron fields in UTC: minute, hour, day, month, weekday. `30 2 * * 1-5`',
    keep: 'How many to keep',
    verify: 'Restore each one as a test',
    verifyHint: 'Into a temporary database, which needs free space of its size.',
    removeText: 'The server makes no more backups by itself. Those that exist stay.',
  },
  mail: {
    title: 'E-mail server',
    hint:
      'Sends invitations of members, and a notice to you when a backup fails. Use a mailbox of your ' +
      'provider and, where it has them, an app password.',
    host: 'SMTP server',
    port: 'Port of the SMTP server',
    security: 'Encryption of SMTP',
    securities: {
      tls: 'TLS from the beginning (mostly port 465)',
      starttls: 'STARTTLS (mostly port 587)',
      none: 'None: only inside your network',
    },
    user: 'User',
    userHint: 'Mostly the e-mail address. Empty, if the server needs no sign-in.',
    password: 'Password',
    from: 'Sender',
    fromPlaceholder: 'Support <support@example.org>',
    recipient: 'Send the test e-mail to',
    removeText: 'Invitations are links again that you pass on yourself.',
    pending: (count: number) => amount(count, 'e-mail waits', 'e-mails wait'),
    failed: (recipient: string, time: string) =>
      `The e-mail to ${recipient} of ${time} was not sent:`,
  },
})
