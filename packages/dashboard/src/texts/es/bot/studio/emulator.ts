import type { emulator as English } from '../../../en/bot/studio/emulator.ts'

export const emulator: typeof English = {
  title: 'Probar el bot',
  name: 'Miembro',
  newConversation: 'Nueva conversación',
  noChat: 'La integración chat no está instalada en este bot',
  noChatHint: 'Los mensajes de aquí llegan al bot a través de ella.',
  installChat: 'Instalar chat',
  placeholder: 'Escriba un mensaje',
  message: 'Su mensaje',
  send: 'Enviar',
  attach: 'Adjuntar un archivo',
  empty: 'Salude al bot',
  emptyHint: 'Las respuestas del bot aparecen aquí.',
  older: 'Mensajes anteriores',
  typing: 'El bot está escribiendo',
  sending: 'Enviando…',
  answering: 'El bot está respondiendo…',
  nextAttempt: (number, max, seconds) =>
    seconds > 0
      ? `El bot falló. Intento ${number} de ${max} en ${seconds} s…`
      : `Intento ${number} de ${max}…`,
  traceOf: '¿Por qué esta respuesta?',
  good: 'Buena respuesta',
  bad: 'Mala respuesta',
  rated: 'La pregunta está en la lista de preguntas por corregir:',
  failed: 'El bot falló con este mensaje',
  failedElse: 'El bot falló con un evento de esta conversación',
  traceOfFailure: '¿Por qué?',
  notSent: 'No enviado',
  resend: 'Enviar de nuevo',
  log: 'Conversación',
  offline: 'Reconectando…',
}
