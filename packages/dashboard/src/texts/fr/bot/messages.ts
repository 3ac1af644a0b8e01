import type { messages as English } from '../../en/bot/messages.ts'

/** Words of the chat page in messages. It replaces the names in braces. */
export const messages: typeof English = {
  options: 'Options',
  choose: 'Choisir',
  cards: '{count} cartes',
  image: 'Image',
  audio: 'Audio',
  video: 'Vidéo',
  file: 'Fichier',
  openMap: 'Ouvrir la carte',
  invalidAddress: 'Adresse non valide',
  unusable: '{kind} avec une adresse non valide : ',
  notLoaded: '{kind} : chargement impossible : ',
  load: '{kind} de {host} : charger',
}
