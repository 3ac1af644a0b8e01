import type { messages as English } from '../../en/bot/messages.ts'

/** Words of the chat page in messages. It replaces the names in braces. */
export const messages: typeof English = {
  options: 'Opciones',
  choose: 'Elegir',
  cards: '{count} tarjetas',
  image: 'Imagen',
  audio: 'Audio',
  video: 'Vídeo',
  file: 'Archivo',
  openMap: 'Abrir el mapa',
  invalidAddress: 'Dirección no válida',
  unusable: '{kind} con una dirección no válida: ',
  notLoaded: '{kind} no se pudo cargar: ',
  load: '{kind} de {host}: cargar',
}
