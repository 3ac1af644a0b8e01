import type {
  invitation as EnglishInvitation,
  signIn as EnglishSignIn,
} from '../en/sign-in.ts'
import { members } from './workspace.ts'

export const signIn: typeof EnglishSignIn = {
  title: 'Anmelden',
  welcome: 'Botstead',
  intro: 'Die Bot-Plattform auf Ihrem eigenen Rechner.',
  talk: (name: string) => `Mit „${name}“ chatten`,
  talkHint: 'Der erste Bot ist bereit. Zum Chatten brauchen Sie kein Konto.',
  how: 'So melden Sie sich an',
  howText:
    'Öffnen Sie den Link, den der Server beim Start ausgegeben hat. Für einen neuen Link führen ' +
    'Sie aus:',
  command: (command: string) => `${command} login-link --account owner@localhost`,
  withLink: 'Sie werden angemeldet …',
  otherWays: 'Mit Passwort oder einem anderen Konto anmelden',
  email: 'E-Mail-Adresse',
  password: 'Passwort',
  submit: 'Anmelden',
  wrong: 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  wrongCode: 'Der Code ist falsch oder wurde schon verwendet.',
  wait: (seconds: number) =>
    `Zu viele Fehlversuche. Versuchen Sie es in ${seconds} s erneut, oder nutzen Sie einen ` +
    'Einmal-Link.',
  code: 'Code Ihrer Authentifizierungs-App',
  codeHint: 'Oder einer Ihrer Wiederherstellungscodes.',
  otherAccount: 'Anderes Konto verwenden',
  openId: (name: string) => `Weiter mit ${name}`,
  link: 'Einmal-Link',
}

const roles: Record<string, string> = members.roles

export const invitation: typeof EnglishInvitation = {
  title: 'Einladung',
  text: (workspace: string, role: string) =>
    `Sie sind in den Workspace „${workspace}“ eingeladen. Ihre Rolle: ${roles[role] ?? role}.`,
  forAddress: (email: string) => `Die Einladung gilt für ${email}.`,
  name: 'Ihr Name',
  password: 'Passwort',
  passwordHint:
    'Mindestens 12 Zeichen, zum Beispiel vier Wörter, die nichts miteinander zu tun haben.',
  create: 'Konto erstellen',
  hasAccount: 'Ich habe ein Konto',
  existing:
    'Melden Sie sich mit dem Konto dieser Adresse an, und nehmen Sie dann die Einladung an.',
  accept: 'Einladung annehmen',
  otherAccount: (email: string) =>
    `Sie sind als ${email} angemeldet. Melden Sie sich zuerst ab.`,
  gone: 'Dieser Link gilt nicht mehr',
  goneHint:
    'Eine Einladung gilt einmal, innerhalb von sieben Tagen. Wenn Sie sie schon angenommen ' +
    'haben, melden Sie sich an. Sonst bitten Sie um eine neue.',
  missing: 'Der Link ist unvollständig',
  missingHint: 'Kopieren Sie die ganze Adresse aus Ihrer Einladung.',
}
