import type { users as English } from '../../en/bot/users.ts'
import { amount } from '../amount.ts'

export const users: typeof English = {
  title: 'Nutzer',
  choiceHint: 'Name, Tag oder ID',
  noChoice:
    'Kein Nutzer gefunden. Geben Sie den Anfang eines Namens, name=wert eines Tags oder eine ID ' +
    'ein.',
  user: 'Nutzer',
  empty: 'Keine Nutzer',
  emptyHint: 'Integrationen legen Nutzer an, wenn jemand dem Bot schreibt.',
  noneFound: 'Kein Nutzer passt zu den Filtern',
  hiddenHint:
    'Nutzer, die nie geschrieben haben, und Mitglieder, die antworten, sind ausgeblendet. Filter ' +
    'zeigen sie.',
  hidden: 'Ausgeblendet',
  silent: 'Nutzer, die nie geschrieben haben',
  members: 'Mitglieder',
  shown: { shown: 'Angezeigt', only: 'Nur diese' },
  byMessage: (link: string) =>
    `Nur Namen und Tags. Über eine Nachricht finden Sie eine Person mit „${link}“.`,
  toMessages: 'Nachrichten durchsuchen',
  name: 'Name',
  noName: 'keiner',
  picture: 'Adresse des Bildes',
  noPicture: 'keine',
  tag: 'Tags',
  tagHint: 'name=wert',
  integration: 'Integration',
  noIntegration: 'keine',
  conversations: 'Unterhaltungen',
  conversationCount: (count: number) => amount(count, 'Unterhaltung', 'Unterhaltungen'),
  conversation: (integration: string, count: number) =>
    `${integration} · ${amount(count, 'Nachricht', 'Nachrichten')}`,
  noConversations: 'Keine Unterhaltungen',
  member: 'Mitglied',
  testUser: 'Testnutzer',
  testUserHint: 'Ein Mitglied des Workspace, das den Bot mit „Bot ausprobieren“ testet',
  unnamed: 'Ohne Namen',
  visitor: (code: string) => `Besucher ${code}`,
  never: 'nie',
  about: 'Über den Nutzer',
  created: 'Erstellt',
  lastMessage: 'Letzte Nachricht',
  saved: 'Der Nutzer wurde gespeichert',
  tags: 'Tags',
  noTags: 'Keine Tags',
  newTag: 'Neues Tag',
  attributes: 'Attribute',
  attributesHint: 'In der API heißen sie properties.',
  noAttributes: 'Keine Attribute',
  newAttribute: 'Neues Attribut',
  states: 'Zustände',
  delete: 'Nutzer löschen',
  deleteHint:
    'Löscht den Nutzer mit seinen Nachrichten und Dateien und seine Unterhaltungen ohne andere ' +
    'Teilnehmer. Logs, Traces und Tabellenzeilen bleiben: Um alles zu löschen, verwenden Sie ' +
    '„Personenbezogene Daten“. Das lässt sich nicht rückgängig machen.',
  deleted: 'Der Nutzer wurde gelöscht',
}
