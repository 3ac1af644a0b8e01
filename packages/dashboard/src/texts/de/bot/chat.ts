import type { chat as English } from '../../en/bot/chat.ts'

export const chat: typeof English = {
  title: 'Webchat',
  none: 'Dieser Bot hat keinen Webchat',
  noneHint:
    'Installieren Sie die Integration „webchat“ oder „chat“, damit Menschen mit ihm schreiben ' +
    'können.',
  integrations: 'Integrationen',
  share: 'Teilen',
  link: 'Adresse der Chat-Seite',
  open: 'Öffnen',
  snippet: 'Auf Ihrer Website',
  snippetHint: 'Fügen Sie diese Zeile vor </body> ein.',
  signedShareHint:
    'Fügen Sie diese Zeile vor </body> ein, mit dem Nutzerschlüssel des Besuchers.',
  look: 'Erscheinungsbild',
  lookHint: 'Für die Chat-Seite und die Schaltfläche auf Websites.',
  name: 'Name',
  avatarUrl: 'Bild',
  avatarHint: 'Adresse eines quadratischen Bildes.',
  notAddress: 'Geben Sie eine Adresse ein, die mit https:// oder http:// beginnt',
  noPicture: 'Der Browser findet unter dieser Adresse kein Bild.',
  color: 'Farbe',
  radius: 'Rundung der Ecken, in Pixeln',
  theme: 'Farbschema',
  themes: { system: 'System', light: 'Hell', dark: 'Dunkel' },
  position: 'Seite der Schaltfläche',
  positions: { right: 'Rechts', left: 'Links' },
  greeting: 'Begrüßung',
  greetingHint: 'Erscheint vor der ersten Nachricht. Markdown.',
  suggestions: 'Vorgeschlagene Fragen',
  suggestionsHint: 'Eine pro Zeile, höchstens 6',
  tooManySuggestions: 'Höchstens 6 Fragen sind möglich.',
  longSuggestion: (line: string) =>
    `Kürzen Sie „${line.slice(0, 40)} …“ auf 150 Zeichen.`,
  language: 'Sprache',
  visitorsLanguage: 'Die des Besuchers',
  languages: {
    ar: 'العربية',
    de: 'Deutsch',
    en: 'English',
    es: 'Español',
    fr: 'Français',
    pt: 'Português',
  },
  uploads: 'Besucher können Dateien senden',
  originsExample: 'https://www.example.org',
  origins: 'Erlaubte Websites',
  originsHint:
    'Eine pro Zeile. Nur Seiten dieser Websites dürfen den Chat zeigen. Leer: Jede Website darf ' +
    'es.',
  completedOrigins: (origins: string[]) => `Gespeichert als: ${origins.join(', ')}`,
  notOrigin: (line: string, origin: string) =>
    `„${line}“ ist keine Adresse einer Website. Schreiben Sie ${origin}, ohne Pfad.`,
  preview: 'Vorschau',
  previewShows: 'Vorschau von',
  previews: { start: 'Beginn', conversation: 'Unterhaltung' },
  signed: 'Angemeldete Besucher',
  signedOff:
    'Besucher sind anonym. Mit Nutzerschlüsseln können nur Menschen den Chat nutzen, die sich ' +
    'auf Ihrer Website anmelden. Sie finden ihre Unterhaltung auf allen Geräten wieder.',
  signedOn:
    'Nur Besucher mit einem Nutzerschlüssel Ihrer Website können den Chat nutzen.',
  requireKeys: 'Nutzerschlüssel verlangen',
  requireKeysEffect:
    'Anonyme Besucher können den Chat nicht mehr nutzen, auch nicht unter der Adresse der ' +
    'Chat-Seite. Ihre Website muss Nutzerschlüssel senden.',
  allowAnonymous: 'Anonyme Besucher zulassen',
  allowAnonymousEffect:
    'Nutzerschlüssel, die Ihre Website signiert hat, werden ungültig.',
  encryptionKey:
    'Schlüssel, der die Nutzerschlüssel signiert. Bewahren Sie ihn nur auf dem Server Ihrer ' +
    'Website auf.',
  signHint:
    'Signieren Sie auf dem Server Ihrer Website einen Nutzerschlüssel für die angemeldete Person:',
  signedSnippet: 'Fügen Sie den Schlüssel in die Zeile auf der Seite ein:',
  saved: 'Der Chat ist gespeichert',
}
