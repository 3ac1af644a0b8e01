import type { channels as English } from '../../en/bot/channels.ts'

export const channels: typeof English = {
  choose: 'Conectar un canal o servicio',
  chooseHint: 'La gente escribe allí al bot. Elija dónde:',
  others: 'Otros canales y servicios',
  othersHint:
    'Los que usted u otras personas han desplegado en este servidor como integraciones.',
  ways: 'Proveedor',
  steps: 'Pasos',
  laterSteps: 'Después de conectar',
  doneSteps: (count) => `${count} ${count === 1 ? 'paso' : 'pasos'} antes de conectar`,
  values: (count) => `Más ajustes (${count})`,
  connect: 'Conectar',
  connectStep: (title) => `Conectar ${title}`,
  connectHint:
    'Antes de guardar los datos, el servidor pregunta al proveedor si los acepta.',
  checking: 'Consultando al proveedor…',
  right: (account) =>
    account === undefined
      ? 'El proveedor acepta los datos.'
      : `El proveedor acepta los datos: ${account}`,
  unproved: (titles) =>
    `Aún sin comprobar: ${titles}. No se puede consultar al proveedor; solo el primer mensaje muestra si ` +
    'es correcto.',
  correct: 'Cambiar los datos',
  addressSetting: 'Definir la dirección pública',
  saveStep: 'Guardar los datos',
  addressDocs: 'Cómo obtener una dirección pública',
  refused: 'No se guardó: se conservan los datos anteriores',
  saveAnyway: 'Guardar igualmente',
  notRight: 'Estos datos aún no funcionan',
  doubt:
    'Uno de los datos de arriba no parece correcto, por lo que no se comprueba automáticamente. Aun así, ' +
    'puede probarlo.',
  missing: (titles) => `Falta: ${titles}.`,
  invent: 'Generar otro',
  spaced: 'Contiene un espacio o un salto de línea: quítelo o copie el valor de nuevo.',
  existing: (aliases) =>
    `Este bot ya tiene este canal: ${aliases}. Abajo puede conectar otra cuenta.`,
  openExisting: (alias) => `Abrir ${alias}`,
  connected: (title) => `Canal conectado: ${title}`,
  copyFile: (name) => `Copiar ${name}`,
  download: (name) => `Descargar ${name}`,
  afterConnecting: 'se conoce después de conectar',
  firstMessage: 'Escriba el primer mensaje',
  qrCode: 'Código QR que abre un chat con el bot',
  qrHint: 'Escanéelo con un teléfono o abra el enlace.',
  state: 'Estado',
  light: {
    green: 'Los mensajes llegan',
    unsure: 'Los mensajes llegan, pero la última solicitud tenía una firma incorrecta',
    waiting: 'Listo: espera el primer mensaje',
    pending: 'Preparándose',
    red: 'No funciona',
    off: 'Desactivado',
  },
  since: 'Cambio de estado',
  lastReceived: 'Último mensaje recibido',
  lastSent: 'Último mensaje enviado',
  account: 'Cuenta',
  by: { connection: 'por una conexión de este servidor', webhook: 'por webhook' },
  receives: 'Recepción',
  problem: {
    receiving: 'Último problema de recepción',
    sending: 'Último problema de envío',
  },
  isOver: 'Desde entonces vuelve a funcionar.',
  verify: 'Comprobar ahora',
  works: 'El proveedor acepta los datos.',
  unasked:
    'No se puede consultar a este proveedor: envíe un mensaje de prueba o escriba al bot.',
  stillFails: 'Se acaba de comprobar: el problema continúa.',
  settings: 'Ajustes',
  test: 'Enviar un mensaje de prueba',
  testHint: 'Se envía a la conversación más reciente de este canal.',
  testTo: (address) => `${address}, o vacío para la conversación más reciente`,
  send: 'Enviar',
  noRecipient: 'Para poder enviarlo, escriba el primer mensaje o indique una dirección.',
  sentTo: (address) => `El proveedor aceptó el mensaje de prueba para ${address}.`,
  sentToNewest:
    'El proveedor aceptó el mensaje de prueba para la conversación más reciente.',
  openConversation: 'Abrir la conversación',
  problems: 'Problemas frecuentes',
  page: 'Pasos, estado y mensaje de prueba',
}
