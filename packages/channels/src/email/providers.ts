// Servers of well-known providers, which follow from an address. Each line names the page of its source.
import type { Preset } from '../guide.ts'

const byPassword =
  'The password of the mailbox is enough, unless two-factor sign-in is on.'
const appPassword = (name: string, place: string) =>
  `${name} accepts only an app password from programs, not that of the account: ${place}.`
const noPasswords =
  'Microsoft admits no passwords from programs, so that this channel cannot sign in there. Use a mailbox ' +
  'of another provider, and forward e-mails to it.'

interface Provider {
  domains: string[]
  /** With a port for TLS from the beginning: 993. */
  imapHost: string
  smtpHost: string
  /** 465: TLS from the beginning, 587: STARTTLS. */
  smtpPort: 465 | 587
  note: string
  link?: { title: string; url: string }
}

const providers: Provider[] = [
  // https://support.google.com/mail/answer/7104828, https://support.google.com/accounts/answer/185833
  {
    domains: ['gmail.com', 'googlemail.com'],
    imapHost: 'imap.gmail.com',
    smtpHost: 'smtp.gmail.com',
    smtpPort: 465,
    note: appPassword('Gmail', 'the account needs "2-Step Verification" first'),
    link: {
      title: 'Gmail: app passwords',
      url: 'https://myaccount.google.com/apppasswords',
    },
  },
  // https://support.microsoft.com/office/d088b986-291d-42b8-9564-9c414e2aa040
  {
    domains: ['outlook.com', 'outlook.de', 'hotmail.com', 'live.com', 'msn.com'],
    imapHost: 'outlook.office365.com',
    smtpHost: 'smtp-mail.outlook.com',
    smtpPort: 587,
    note: noPasswords,
  },
  // https://learn.microsoft.com/exchange/clients-and-mobile-in-exchange-online/deprecation-of-basic-authentication-exchange-online
  {
    domains: ['onmicrosoft.com'],
    imapHost: 'outlook.office365.com',
    smtpHost: 'smtp.office365.com',
    smtpPort: 587,
    note: noPasswords,
  },
  // https://help.yahoo.com/kb/SLN4075.html, https://help.yahoo.com/kb/SLN15241.html
  {
    domains: [
      'yahoo.com',
      'yahoo.de',
      'yahoo.fr',
      'yahoo.co.uk',
      'ymail.com',
      'rocketmail.com',
    ],
    imapHost: 'imap.mail.yahoo.com',
    smtpHost: 'smtp.mail.yahoo.com',
    smtpPort: 465,
    note: appPassword('Yahoo', '"Account security", "Generate app password"'),
    link: { title: 'Yahoo: security', url: 'https://login.yahoo.com/account/security' },
  },
  // https://help.aol.com/articles/how-do-i-use-other-email-applications-to-send-and-receive-my-aol-mail
  {
    domains: ['aol.com'],
    imapHost: 'imap.aol.com',
    smtpHost: 'smtp.aol.com',
    smtpPort: 465,
    note: appPassword('AOL', '"Account security", "Generate app password"'),
  },
  // https://support.apple.com/102525, https://support.apple.com/102654
  {
    domains: ['icloud.com', 'me.com', 'mac.com'],
    imapHost: 'imap.mail.me.com',
    smtpHost: 'smtp.mail.me.com',
    smtpPort: 587,
    note: appPassword('iCloud', '"Sign-In and Security", "App-Specific Passwords"'),
    link: {
      title: 'iCloud: app passwords',
      url: 'https://account.apple.com/account/manage',
    },
  },
  // https://hilfe.gmx.net/pop-imap/imap/imap-serverdaten.html
  {
    domains: ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'],
    imapHost: 'imap.gmx.net',
    smtpHost: 'mail.gmx.net',
    smtpPort: 465,
    note: `Switch on "POP3/IMAP" in the settings of the mailbox. ${byPassword}`,
  },
  // https://support.gmx.com/pop-imap/imap/server.html
  {
    domains: ['gmx.com', 'gmx.us', 'gmx.co.uk'],
    imapHost: 'imap.gmx.com',
    smtpHost: 'mail.gmx.com',
    smtpPort: 465,
    note: `Switch on "POP3 & IMAP" in the settings of the mailbox. ${byPassword}`,
  },
  // https://hilfe.web.de/pop-imap/imap/imap-serverdaten.html
  {
    domains: ['web.de'],
    imapHost: 'imap.web.de',
    smtpHost: 'smtp.web.de',
    smtpPort: 587,
    note: `Switch on "POP3/IMAP" in the settings of the mailbox. ${byPassword}`,
  },
  // https://www.telekom.de/hilfe/apps-dienste/e-mail/e-mail-server
  {
    domains: ['t-online.de', 'magenta.de'],
    imapHost: 'secureimap.t-online.de',
    smtpHost: 'securesmtp.t-online.de',
    smtpPort: 465,
    note: appPassword(
      'T-Online',
      'in the customer centre, "Passwort für E-Mail-Programme"',
    ),
  },
  // https://www.fastmail.help/hc/articles/1500000278342
  {
    domains: ['fastmail.com', 'fastmail.fm'],
    imapHost: 'imap.fastmail.com',
    smtpHost: 'smtp.fastmail.com',
    smtpPort: 465,
    note: appPassword(
      'Fastmail',
      '"Privacy & Security", "Manage app passwords and access"',
    ),
  },
  // https://www.zoho.com/mail/help/imap-access.html
  {
    domains: ['zoho.com', 'zohomail.com'],
    imapHost: 'imap.zoho.com',
    smtpHost: 'smtp.zoho.com',
    smtpPort: 465,
    note: `Switch on "IMAP Access" in the settings. ${byPassword}`,
  },
  {
    domains: ['zoho.eu', 'zohomail.eu'],
    imapHost: 'imap.zoho.eu',
    smtpHost: 'smtp.zoho.eu',
    smtpPort: 465,
    note: `Switch on "IMAP Access" in the settings. ${byPassword}`,
  },
  // https://help.mail.ru/mail/mailer/popsmtp
  {
    domains: ['mail.ru', 'internet.ru', 'inbox.ru', 'list.ru', 'bk.ru'],
    imapHost: 'imap.mail.ru',
    smtpHost: 'smtp.mail.ru',
    smtpPort: 465,
    note: appPassword('Mail.ru', '"Security", "Passwords for external applications"'),
  },
  // https://yandex.com/support/yandex-360/customers/mail/en/mail-clients/others
  {
    domains: ['yandex.com', 'yandex.ru', 'ya.ru'],
    imapHost: 'imap.yandex.com',
    smtpHost: 'smtp.yandex.com',
    smtpPort: 465,
    note: appPassword(
      'Yandex',
      '"Security", "App passwords", after you switched on IMAP in the mailbox',
    ),
  },
  // https://posteo.de/hilfe/wie-richte-ich-posteo-in-einem-e-mail-programm-ein-pop3-imap-und-smtp
  {
    domains: ['posteo.de', 'posteo.net'],
    imapHost: 'posteo.de',
    smtpHost: 'posteo.de',
    smtpPort: 465,
    note: byPassword,
  },
  // https://kb.mailbox.org/en/private/e-mail/setting-up-e-mail-clients
  {
    domains: ['mailbox.org'],
    imapHost: 'imap.mailbox.org',
    smtpHost: 'smtp.mailbox.org',
    smtpPort: 465,
    note: byPassword,
  },
]

/** A subdomain of a provider is a domain of its customer, as at onmicrosoft.com. */
const toEndings = (domain: string) =>
  domain === 'onmicrosoft.com' ? [`@${domain}`, `.${domain}`] : [`@${domain}`]

export const presets: Preset[] = providers.map(
  ({ domains, imapHost, smtpHost, smtpPort, ...about }) => ({
    setting: 'user',
    endings: domains.flatMap(toEndings),
    values: { imapHost, imapPort: 993, smtpHost, smtpPort },
    ...about,
  }),
)
