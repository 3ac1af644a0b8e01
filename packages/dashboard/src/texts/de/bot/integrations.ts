import type { integrations as English } from '../../en/bot/integrations.ts'
import { amount, thousands } from '../amount.ts'

const conversations = (count: number) => amount(count, 'Unterhaltung', 'Unterhaltungen')

export const integrations: typeof English = {
  title: 'Integrationen',
  empty: 'Keine Integrationen',
  emptyHint: 'Eine Integration verbindet den Bot mit einem Kanal oder Dienst.',
  install: 'Integration installieren',
  search: 'Nach Namen suchen',
  hub: 'Für alle Workspaces',
  hubHint: 'Der Server oder ein anderer Workspace bietet sie allen Workspaces an',
  own: 'Aus diesem Workspace',
  ownedHint: 'In diesem Workspace bereitgestellt',
  installedAs: (aliases: string) => `Installiert als ${aliases}`,
  ownHint:
    'Für einen Kanal oder Dienst, der in dieser Liste fehlt, stellen Sie seine Integration aus ' +
    'ihrem Quellcode bereit: Führen Sie im Ordner ihres Projekts `bp deploy` aus. bp ist die ' +
    'Befehlszeile des Botpress SDK (npm install @botpress/cli).',
  ownDocs: 'Integrationen bereitstellen',
  newestHint:
    'Die Liste zeigt die neueste Version jeder Integration. Eine installierte Integration behält ' +
    'ihre Version und braucht keine Aktualisierung.',
  appearanceLater:
    'Name, Farben und Begrüßung legen Sie danach auf der Seite „Webchat“ fest.',
  appearanceDisabled: (page: string) =>
    'Solange die Integration deaktiviert ist, hat der Chat ihr Erscheinungsbild nicht. ' +
    'Aktivieren Sie sie; Name, Farben, Begrüßung und vorgeschlagene Fragen ändern Sie dann auf ' +
    `der Seite ${page}.`,
  appearance: (page: string) =>
    'Der Chat sieht auf seiner Seite und auf allen Websites gleich aus. Name, Farben, Begrüßung ' +
    `und vorgeschlagene Fragen stehen auf der Seite ${page}.`,
  nothing: 'Keine Integration gefunden',
  noneYet: 'Es gibt noch keine Integrationen.',
  moreFound: 'Es gibt weitere: Suchen Sie nach einem Teil des Namens.',
  alias: 'Alias',
  aliasHint: 'Ihr Name in diesem Bot; er lässt sich später nicht ändern.',
  aliasInvalid: 'Ein Alias hat mindestens ein Zeichen und keinen Doppelpunkt.',
  aliasUsed:
    'Dieser Bot hat schon eine Integration mit diesem Alias. Wählen Sie einen anderen.',
  installed: (title: string) => `${title} wurde installiert`,
  installNow: 'Installieren',
  back: 'Zurück',
  disabled: 'Deaktiviert',
  enabled: 'Aktiviert',
  statuses: {
    registration_pending: 'Wird vorbereitet',
    registered: 'Bereit',
    registration_failed: 'Registrierung fehlgeschlagen',
    unregistration_pending: 'Wird abgemeldet',
    unregistered: 'Nicht registriert',
    unregistration_failed: 'Abmeldung fehlgeschlagen',
  },
  statusHints: {
    registration_pending: 'Die Integration richtet ihre Verbindung ein',
    registered: 'Die Integration hat ihre Konfiguration angenommen und funktioniert',
    registration_failed:
      'Die Integration hat ihre Konfiguration abgelehnt: Näheres auf ihrer Seite',
    unregistration_pending: 'Die Integration schließt ihre Verbindung',
    unregistered: 'Die Integration hat jetzt keine Verbindung',
    unregistration_failed:
      'Die Integration konnte ihre Verbindung nicht schließen: Näheres auf ihrer Seite',
  },
  disabledHint: 'Der Bot empfängt und sendet darüber keine Nachrichten',
  isEnabled: 'Die Integration ist aktiviert',
  isDisabled: 'Die Integration ist deaktiviert',
  isRegistered: 'Die Integration ist registriert',
  changed: 'Geändert',
  registerAgain: 'Erneut registrieren',
  registrationFailed: (done: string, reason: string) => `${done}. Grund: ${reason}`,
  noReason: 'Die Integration hat keinen Grund angegeben.',
  version: (version: string) => `Version ${version}`,
  builtIn: (major: string) => `mitgeliefert, Version ${major}.x`,
  builtInChat: (major: string) =>
    `mitgeliefert, für bp chat und das npm-Paket @botpress/chat ${major}.x`,
  webhook: 'Webhook-Adresse',
  webhookHint: 'Der andere Dienst sendet seine Nachrichten für diesen Bot hierher.',
  chatWebhookHint: 'Chat-Clients senden ihre Anfragen hierher.',
  configuration: 'Konfiguration',
  configurationType: 'Art der Konfiguration',
  usualType: 'Standard',
  noConfiguration: 'Die Integration hat keine Konfiguration.',
  saved: 'Die Konfiguration wurde gespeichert',
  remove: 'Entfernen',
  removeTitle: (alias: string) => `${alias} entfernen`,
  removed: (alias: string) => `${alias} wurde entfernt`,
  addressStops:
    'Ihre Webhook-Adresse gilt dann nicht mehr, und ihre Konfiguration wird gelöscht.',
  codeNotSearched: 'Code des Bots, der die Integration aufruft, wird nicht durchsucht.',
  breaks: 'Der Bot verliert die Verbindung. Betroffen sind:',
  breaksNothing:
    'Keine Unterhaltung, kein Nutzer, kein Plugin und kein Verweis dieses Bots hängt von der ' +
    'Integration ab.',
  chatStops: 'Die Chat-Seite und der Chat auf Websites funktionieren dann nicht mehr.',
  chatGoesOn: (alias: string) =>
    `Die Chat-Seite und der Chat auf Websites verwenden dann die Integration ${alias} und ihre ` +
    'Konfiguration.',
  appearanceDeleted:
    'Name, Begrüßung, Farben und die Liste der erlaubten Websites werden gelöscht, auch wenn Sie ' +
    'die Integration wieder installieren.',
  thenEveryWebsite:
    'Danach darf jede Website den Chat zeigen, bis Sie die Liste neu festlegen.',
  conversations,
  users: (count: number) => amount(count, 'Nutzer', 'Nutzer'),
  sandboxConversations: (count: number) =>
    `${conversations(count)} der gemeinsamen Nummer`,
  schedule: (interval: string) => `Registrierung: ${interval}`,
  plugin: (alias: string) => `Plugin ${alias}`,
  reference: (path: string) => `Verweis ${path}`,
  identifier: 'Gemeinsame Adresse',
  setup: 'Einrichtung',
  setupHint:
    'Verbindet die Integration in einem anderen Tab mit einem Konto beim Anbieter.',
  setUp: 'Konto verbinden',
  setUpAgain: 'Erneut verbinden',
  connectedAs: (identifier: string) => `Verbunden als ${identifier}`,
  identifierHint:
    'Auch alle anderen Bots mit dieser Integration haben diese Adresse. Die Kennung in einer ' +
    'Anfrage leitet sie an einen Bot. Die meisten Integrationen setzen sie bei der Registrierung ' +
    'selbst.',
  identifierOfBot: 'Kennung dieses Bots',
  noIdentifier: 'keine',
  identifierSaved: 'Die Kennung wurde gespeichert',
  identifierRemoved: 'Die Kennung wurde entfernt',
  sandbox: {
    title: 'Gemeinsame Nummer',
    hint:
      'Mehrere Bots teilen sich eine Nummer beim Anbieter. Wer dort die Teilnahme-ID dieses Bots ' +
      'sendet, schreibt mit ihm, bis er //leave sendet. Die ID läuft nach 24 Stunden ab.',
    noId: 'Dieser Bot hat keine Teilnahme-ID.',
    expired: 'Die Teilnahme-ID ist abgelaufen.',
    create: 'Teilnahme-ID erstellen',
    extend: 'Um 24 Stunden verlängern',
    linked: 'Verknüpfte Unterhaltungen',
    noneLinked: 'Noch hat niemand die Teilnahme-ID gesendet.',
    unlink: 'Alle trennen',
    unlinkTitle: 'Alle Unterhaltungen trennen?',
    unlinkText:
      'Diese Personen schreiben dann nicht mehr mit diesem Bot. Mit der Teilnahme-ID können sie ' +
      'sich wieder verknüpfen.',
    unlinked: 'Die Unterhaltungen wurden getrennt',
  },
  requests: 'Letzte Anfragen',
  requestsHint: 'An die Webhook-Adresse. Der Server behält die letzten 100.',
  requestsNotRecorded: (page: string) =>
    'Der Server zeichnet die Anfragen dieser Integration nicht auf. ' +
    `Ihre Nachrichten stehen auf der Seite ${page}.`,
  noRequests: 'Noch keine Anfragen',
  time: 'Zeit',
  request: 'Anfrage',
  status: 'Status',
  duration: 'Dauer',
  milliseconds: (ms: number) => `${ms} ms`,
  failed: 'keine Antwort',
  replay: 'Wiederholen',
  replayed: (status: number | undefined) =>
    status === undefined
      ? 'Die Integration hat nicht geantwortet'
      : `Die Integration hat mit ${status} geantwortet`,
  repeated: 'wiederholt',
  details: 'Anfrage',
  headers: 'Header',
  query: 'Query',
  body: 'Body',
  noBody: 'Kein Body',
  binary: (bytes: number) => `Binärer Inhalt, ${thousands(bytes)} Bytes`,
  cut: (bytes: number) => `Der Anfang von ${thousands(bytes)} Bytes`,
  response: 'Antwort',
}
