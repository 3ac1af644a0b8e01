import { type Guide, isMistaken, isShaped } from '../guide.ts'
import { presets } from './providers.ts'

const isHost = (setting: string, example: string) => [
  isMistaken(setting, /@/, 'This is an e-mail address. Enter the name of the server.'),
  isMistaken(setting, /\/\//, 'Enter only the name of the server, without `https://`.'),
  isShaped(
    setting,
    /^[\w-]+(\.[\w-]+)+\.?$|^localhost$|^[0-9a-fA-F:]+$/,
    `Enter a name such as \`${example}\`.`,
  ),
]

export const guide: Guide = {
  steps: [
    {
      title: 'Choose the mailbox',
      text:
        'Use a mailbox only for the bot: it answers each new e-mail. The servers of Gmail, Yahoo, iCloud ' +
        'and other well-known providers follow from the address.',
      settings: ['user'],
    },
    {
      title: 'Enter the password',
      text:
        'Many providers, such as Gmail, iCloud and Yahoo, accept only an app password: create one in the ' +
        'settings of the account, which needs two-step verification. Others accept the password.',
      settings: ['password'],
    },
    {
      title: 'Compare the servers',
      text:
        'If they are empty, search the help of your provider for "IMAP settings". Leave ports empty unless ' +
        'the help names them. Outlook.com and Microsoft 365 admit no passwords here.',
      settings: ['imapHost', 'imapPort', 'smtpHost', 'smtpPort'],
      folded: ['imapSecurity', 'smtpSecurity'],
    },
  ],
  firstMessage: 'Send an e-mail to the address from another mailbox.',
  checks: [
    isShaped(
      'user',
      /^[^@\s]+@[^@\s]+\.[^@\s]+$/,
      'An e-mail address, such as `bot@example.org`.',
    ),
    ...isHost('imapHost', 'imap.gmail.com'),
    ...isHost('smtpHost', 'smtp.gmail.com'),
  ],
  problems: [
    {
      problem: 'The server does not accept the user and password',
      remedy:
        'Use an app password where the provider has them, or switch on IMAP for the mailbox.',
    },
    {
      problem: 'The server does not answer',
      remedy:
        'Check its name and port. Some networks block port 25 and 587: ask the operator of the server.',
    },
    {
      problem: 'The server offers no valid encryption',
      remedy: 'Mostly IMAP is "tls" at 993, SMTP "tls" at 465 or "starttls" at 587.',
    },
    {
      problem: 'Microsoft 365 rejects the password',
      remedy:
        'It admits no passwords of programs (IMAP) since 2022. Use a mailbox of another provider, and ' +
        'forward e-mails to it.',
    },
    {
      problem: 'E-mails are not answered',
      remedy:
        'The bot answers no automatic e-mails, mailing lists, bounces and its own address.',
    },
  ],
  presets,
  recipient: {
    title: 'E-mail address',
    description: 'The test goes there as an e-mail.',
  },
}
