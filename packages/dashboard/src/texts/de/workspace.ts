import type {
  access as EnglishAccess,
  audit as EnglishAudit,
  members as EnglishMembers,
  tokens as EnglishTokens,
} from '../en/workspace.ts'
import { amount, thousands } from './amount.ts'

export const members: typeof EnglishMembers = {
  title: 'Mitglieder',
  list: 'Mitglieder des Workspace',
  name: 'Name',
  role: 'Rolle',
  since: 'Beigetreten',
  roleOf: (name: string) => `Rolle von ${name}`,
  remove: 'Entfernen',
  removeOne: (name: string) => `${name} entfernen`,
  removeText:
    'Die Person verliert sofort den Zugriff auf diesen Workspace. Tokens und Sitzungen gelten ' +
    'anderswo weiter.',
  lastOwner: 'Ein Workspace braucht einen Inhaber',
  you: 'Sie',
  unverified: 'Adresse nicht bestätigt',
  pending:
    'Adresse nicht bestätigt: Ein anderer Workspace hat dieses Konto angelegt. Die Rolle gilt, ' +
    'sobald sich die Person beim Identitätsanbieter oder mit einem Link des Betreibers anmeldet ' +
    'oder einen Einladungslink annimmt.',
  invite: 'Einladen',
  inviteTitle: 'Person einladen',
  email: 'E-Mail-Adresse',
  inboxRole:
    'Um im Posteingang zu antworten, braucht eine Person die Rolle Agent, Entwickler oder eine ' +
    'höhere.',
  mailed: (email: string) =>
    `Der Server sendet diesen Link an ${email}. Er gilt einmal, innerhalb von sieben Tagen, und ` +
    'wird nur jetzt angezeigt.',
  create: 'Link erstellen',
  created:
    'Senden Sie diesen Link an die Person. Er gilt einmal, innerhalb von sieben Tagen, und wird ' +
    'nur jetzt angezeigt.',
  invitations: 'Einladungen',
  noInvitations: 'Keine offenen Einladungen.',
  expires: 'läuft ab',
  expired: 'abgelaufen',
  withdraw: 'Zurückziehen',
  withdrawOne: (email: string) => `Einladung zurückziehen: ${email}`,
  withdrawText: 'Der Link gilt dann nicht mehr.',
  used: 'Die Einladung wurde schon angenommen oder zurückgezogen',
  usedHint: 'Wenn die Person sie angenommen hat, entfernen Sie sie aus den Mitgliedern.',
  roles: {
    viewer: 'Betrachter',
    agent: 'Agent',
    editor: 'Redakteur',
    billing: 'Abrechnung',
    developer: 'Entwickler',
    manager: 'Manager',
    administrator: 'Administrator',
    owner: 'Inhaber',
  },
  roleHints: {
    viewer: 'Liest Bots und Unterhaltungen',
    agent: 'Antwortet im Posteingang und sieht sonst nichts',
    editor: 'Bearbeitet Dokumente, Antworten und Textbausteine und liest Unterhaltungen',
    billing: 'Liest die Nutzung und ihre Limits, aber keine Bots oder Unterhaltungen',
    developer: 'Ändert Bots und antwortet im Posteingang',
    manager: 'Liest auch das Audit-Log',
    administrator: 'Verwaltet auch Mitglieder',
    owner: 'Darf alles',
  },
}
export const tokens: typeof EnglishTokens = {
  title: 'Tokens',
  hint: 'Für Programme und die Befehlszeile. Ein Token hat alle Rechte Ihres Kontos.',
  empty: 'Sie haben keine Tokens',
  note: 'Notiz',
  created: 'Erstellt',
  create: 'Token erstellen',
  shown: 'Das Token wird nur jetzt angezeigt:',
  revoke: 'Widerrufen',
  revokeOne: (note: string) => `„${note}“ widerrufen`,
  revokeText: 'Programme, die dieses Token verwenden, funktionieren dann nicht mehr.',
}
export const access: typeof EnglishAccess = {
  title: 'Zugriff',
  hint: 'Mitglieder mit Zugriff auf diesen Bot. Administratoren und Inhaber haben ihn immer.',
  all: 'Alle Mitglieder des Workspace',
  selected: 'Ausgewählte Mitglieder',
  visibility: 'Sichtbarkeit',
  members: 'Mitglieder mit Zugriff',
}
export const audit: typeof EnglishAudit = {
  title: 'Audit-Log',
  search: 'Audit-Log durchsuchen',
  searchHint: 'Vorgang, Ziel oder Adresse',
  empty: 'Keine Einträge',
  emptyHint: 'Kein Eintrag enthält diesen Text.',
  operation: 'Vorgang',
  by: 'Von',
  at: 'Zeit',
  from: 'Adresse',
  deployment: 'Bereitstellung',
  operations: {
    'token.firstUseFromAddress': 'Token von einer neuen Adresse verwenden',
    'session.createLink': 'Anmeldelink erstellen',
    'session.startedBy.link': 'Anmelden mit Link',
    'session.startedBy.password': 'Anmelden mit Passwort',
    'session.startedBy.invitation': 'Anmelden mit Einladung',
    'session.startedBy.openId': 'Anmelden mit OpenID Connect',
    'session.failed': 'Anmelden',
    'session.copied': 'Kopierte Sitzung verwenden',
    'account.addressProved': 'E-Mail-Adresse bestätigen',
    'platform.importWorkspace': 'Workspace importieren',
  } as Record<string, string>,
  /** By the prefix of the id. */
  kinds: {
    answer: 'eine Antwort',
    bak: 'ein Schlüssel eines Bots',
    bot: 'ein gelöschter Bot',
    botver: 'eine gelöschte Version',
    broadcast: 'eine gelöschte Rundnachricht',
    budget: 'ein Budget',
    conv: 'eine Unterhaltung',
    dlv: 'eine fehlgeschlagene Zustellung',
    erasure: 'eine Löschung personenbezogener Daten',
    evt: 'ein Ereignis',
    file: 'eine gelöschte Datei',
    handoff: 'eine Übergabe',
    iak: 'ein Schlüssel einer Integration',
    intver: 'eine Integration',
    invite: 'eine Einladung',
    iss: 'ein Problem',
    kb: 'eine gelöschte Wissensdatenbank',
    kcheck: 'eine Prüfung des Wissens',
    ksource: 'eine entfernte Website',
    msg: 'eine Nachricht',
    note: 'eine Notiz',
    pat: 'ein widerrufenes Token',
    session: 'eine Sitzung',
    table: 'eine gelöschte Tabelle',
    tabjob: 'eine Aufgabe einer Tabelle',
    user: 'ein Nutzer',
  } as Record<string, string>,
  results: { done: 'erledigt', refused: 'abgelehnt', failed: 'fehlgeschlagen' },
  verify: 'Prüfen',
  verifying: 'Alle Einträge werden geprüft …',
  whole: (checked: number) =>
    checked === 1
      ? '1 Eintrag ist unverändert.'
      : `Alle ${thousands(checked)} Einträge sind unverändert.`,
  fault: (number: number, reason: string) => `Eintrag ${thousands(number)}: ${reason}.`,
  faults: {
    'a record is missing': 'ein Eintrag fehlt',
    'the record or its predecessor was modified':
      'der Eintrag oder der davor wurde geändert',
    'the anchor record is missing': 'der Eintrag des Ankers fehlt',
    'the record does not match the anchor': 'der Eintrag passt nicht zum Anker',
    "the chain's end does not match its last record":
      'das Ende des Audit-Logs passt nicht zum letzten Eintrag',
    "there are records after the chain's end":
      'nach dem Ende des Audit-Logs gibt es Einträge',
  },
  anchor:
    'Um später zu erkennen, ob die neuesten Einträge entfernt wurden, bewahren Sie diesen ' +
    'Prüfwert an einem anderen Ort auf:',
  export: 'Exportieren',
  exporting: (count: number) => `${amount(count, 'Eintrag', 'Einträge')} …`,
}
