import type { messages as English } from '../../en/bot/messages.ts'

/** Words of the chat page in messages. It replaces the names in braces. */
export const messages: typeof English = {
  options: 'Opções',
  choose: 'Escolher',
  cards: '{count} cartões',
  image: 'Imagem',
  audio: 'Áudio',
  video: 'Vídeo',
  file: 'Arquivo',
  openMap: 'Abrir o mapa',
  invalidAddress: 'Endereço inválido',
  unusable: '{kind} com endereço inválido: ',
  notLoaded: '{kind}: não foi possível carregar: ',
  load: '{kind} de {host}: carregar',
}
