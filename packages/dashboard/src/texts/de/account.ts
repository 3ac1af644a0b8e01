import type { account as English } from '../en/account.ts'

export const account: typeof English = {
  title: 'Ihr Konto',
  profile: 'Profil',
  email: 'E-Mail-Adresse',
  name: 'Name',
  unverified: 'Adresse nicht bestätigt',
  password: 'Passwort',
  passwordNone:
    'Ihr Konto hat kein Passwort. Legen Sie eines fest, um sich ohne Link anzumelden.',
  passwordHint: 'Ein neues Passwort beendet Ihre anderen Sitzungen.',
  current: 'Bisheriges Passwort',
  currentHint:
    'Kann in den ersten 15 Minuten nach der Anmeldung mit einem Einmal-Link leer bleiben.',
  newPassword: 'Neues Passwort',
  newPasswordHint:
    'Mindestens 12 Zeichen, zum Beispiel vier Wörter, die nichts miteinander zu tun haben.',
  setPassword: 'Passwort festlegen',
  changePassword: 'Passwort ändern',
  passwordMissing: 'Legen Sie ein Passwort fest, um sich ohne Link anzumelden',
  passwordLater: 'Nicht jetzt',
  passwordSet: 'Das Passwort ist festgelegt.',
  removePassword: 'Passwort entfernen',
  passwordRemoved: 'Das Passwort ist entfernt.',
  factor: 'Zweiter Faktor',
  factorHint: 'Eine Authentifizierungs-App schützt Ihr Passwort mit einem Code.',
  factorOn: (left: number) =>
    `Der zweite Faktor ist eingeschaltet. Verbleibende Wiederherstellungscodes: ${left}.`,
  factorNeedsPassword:
    'Legen Sie zuerst ein Passwort fest: Der zweite Faktor schützt die Anmeldung damit.',
  codesFile: 'botstead-wiederherstellungscodes.txt',
  download: 'Herunterladen',
  factorStart: 'Authentifizierungs-App einrichten',
  factorScan:
    'Scannen Sie diesen Code mit der App, oder geben Sie dort den Schlüssel ein. Geben Sie dann ' +
    'hier den Code ein, den die App anzeigt.',
  factorImage: 'QR-Code mit dem Schlüssel',
  secret: 'Schlüssel',
  code: 'Code der App',
  confirm: 'Einschalten',
  codes: 'Ihre Wiederherstellungscodes',
  codesHint:
    'Jeder ersetzt einmal einen Code der App. Bewahren Sie sie bei Ihren Passwörtern auf: Sie ' +
    'werden nur jetzt angezeigt.',
  codeOrRecovery: 'Code der App oder ein Wiederherstellungscode',
  codeUse:
    'Nur für neue Wiederherstellungscodes, oder um den zweiten Faktor auszuschalten.',
  newCodes: 'Neue Wiederherstellungscodes',
  turnOff: 'Ausschalten',
  turnedOff: 'Der zweite Faktor ist ausgeschaltet.',
  sessions: 'Sitzungen',
  sessionsHint: 'Browser, in denen Sie angemeldet sind.',
  session: 'Dieser Browser',
  lastUsed: 'zuletzt verwendet',
  inUse: 'gerade aktiv',
  signedIn: 'angemeldet',
  endSession: 'Abmelden',
  endOthers: 'Überall sonst abmelden',
  endedOthers: (count: number) =>
    count === 1 ? 'Eine Sitzung wurde beendet.' : `${count} Sitzungen wurden beendet.`,
  unknownBrowser: 'Unbekannter Browser',
  back: 'Zurück zum Workspace',
  backShort: 'Zurück',
}
