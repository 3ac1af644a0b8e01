import type { messages as English } from '../../en/bot/messages.ts'

/** Words of the chat page in messages. It replaces the names in braces. */
export const messages: typeof English = {
  options: 'Auswahl',
  choose: 'Auswählen',
  cards: '{count} Karten',
  image: 'Bild',
  audio: 'Audio',
  video: 'Video',
  file: 'Datei',
  openMap: 'Karte öffnen',
  invalidAddress: 'Ungültige Adresse',
  unusable: '{kind} mit ungültiger Adresse: ',
  notLoaded: '{kind} konnte nicht geladen werden: ',
  load: '{kind} von {host} laden',
}
