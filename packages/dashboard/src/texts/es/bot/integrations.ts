import type { integrations as English } from '../../en/bot/integrations.ts'
import { amount, thousands } from '../amount.ts'

const conversations = (count: number) => amount(count, 'conversación', 'conversaciones')

export const integrations: typeof English = {
  title: 'Integraciones',
  empty: 'No hay integraciones',
  emptyHint: 'Una integración conecta el bot con un canal o un servicio.',
  install: 'Instalar integración',
  search: 'Buscar por nombre',
  hub: 'Para todos los espacios',
  hubHint:
    'El servidor u otro espacio de trabajo la ofrece a todos los espacios de trabajo',
  own: 'De este espacio',
  ownedHint: 'Desplegada en este espacio de trabajo',
  installedAs: (aliases) => `Instalada como ${aliases}`,
  ownHint:
    'Para un canal o servicio que no está en esta lista, despliegue su integración a partir de su código: ' +
    'ejecute `bp deploy` en la carpeta de su proyecto. ' +
    'bp es la línea de comandos del SDK de Botpress (npm install @botpress/cli).',
  ownDocs: 'Desplegar integraciones',
  newestHint:
    'La lista muestra la versión más reciente de cada integración. Una integración instalada conserva su ' +
    'versión y no necesita actualizarse.',
  appearanceLater: 'Después, defina nombre, colores y saludo en la página Chat web.',
  appearanceDisabled: (page) =>
    'Mientras la integración está desactivada, el chat no tiene su apariencia. Actívela para cambiar el ' +
    `nombre, los colores, el saludo y las preguntas sugeridas en la página ${page}.`,
  appearance: (page) =>
    'El chat tiene una misma apariencia para su página y todos los sitios web. El nombre, los colores, el ' +
    `saludo y las preguntas sugeridas están en la página ${page}.`,
  nothing: 'No se encontró ninguna integración',
  noneYet: 'Aún no hay integraciones.',
  moreFound: 'Hay más: busque una parte del nombre.',
  alias: 'Alias',
  aliasHint: 'Su nombre en este bot; no se puede cambiar después.',
  aliasInvalid: 'Un alias tiene al menos un carácter y no contiene dos puntos.',
  aliasUsed: 'Este bot ya tiene una integración con este alias. Elija otro.',
  installed: (title) => `Se instaló ${title}`,
  installNow: 'Instalar',
  back: 'Volver',
  disabled: 'Desactivada',
  enabled: 'Activada',
  statuses: {
    registration_pending: 'Preparándose',
    registered: 'Lista',
    registration_failed: 'Falló el registro',
    unregistration_pending: 'Anulando el registro',
    unregistered: 'Sin registrar',
    unregistration_failed: 'Falló la anulación del registro',
  },
  statusHints: {
    registration_pending: 'La integración está preparando su conexión',
    registered: 'La integración aceptó su configuración y funciona',
    registration_failed: 'La integración rechazó su configuración: consulte su página',
    unregistration_pending: 'La integración está cerrando su conexión',
    unregistered: 'La integración no tiene conexión ahora',
    unregistration_failed:
      'La integración no pudo cerrar su conexión: consulte su página',
  },
  disabledHint: 'El bot no recibe ni envía mensajes por ella',
  isEnabled: 'La integración está activada',
  isDisabled: 'La integración está desactivada',
  isRegistered: 'La integración está registrada',
  changed: 'Último cambio:',
  registerAgain: 'Registrar de nuevo',
  registrationFailed: (done, reason) => `${done}. Motivo: ${reason}`,
  noReason: 'La integración no indicó ningún motivo.',
  version: (version) => `versión ${version}`,
  builtIn: (major) => `incluida, versión ${major}.x`,
  builtInChat: (major) =>
    `incluida, para bp chat y el paquete de npm @botpress/chat ${major}.x`,
  webhook: 'Dirección del webhook',
  webhookHint: 'El otro servicio envía aquí sus mensajes para este bot.',
  chatWebhookHint: 'Los clientes del chat envían aquí sus solicitudes.',
  configuration: 'Configuración',
  configurationType: 'Tipo de configuración',
  usualType: 'Predeterminada',
  noConfiguration: 'La integración no tiene configuración.',
  saved: 'Se guardó la configuración',
  remove: 'Quitar',
  removeTitle: (alias) => `Quitar ${alias}`,
  removed: (alias) => `Integración quitada: ${alias}`,
  addressStops:
    'La dirección de su webhook deja de funcionar y su configuración se elimina.',
  codeNotSearched: 'No se busca en el código del bot que llama a la integración.',
  breaks: 'El bot pierde su conexión. Deja de funcionar:',
  breaksNothing:
    'Ninguna conversación, usuario, plugin ni referencia de este bot depende de la integración.',
  chatStops: 'La página de chat y el chat en los sitios web dejan de funcionar.',
  chatGoesOn: (alias) =>
    `La página de chat y el chat en los sitios web usan entonces la integración ${alias} y su configuración.`,
  appearanceDeleted:
    'Se eliminan el nombre, el saludo, los colores y la lista de sitios web permitidos, aunque la instale ' +
    'de nuevo.',
  thenEveryWebsite:
    'Entonces cualquier sitio web puede mostrar el chat, hasta que defina la lista de nuevo.',
  conversations,
  users: (count) => amount(count, 'usuario'),
  sandboxConversations: (count) => `${conversations(count)} del número compartido`,
  schedule: (interval) => `Registro periódico: ${interval}`,
  plugin: (alias) => `Plugin ${alias}`,
  reference: (path) => `Referencia ${path}`,
  identifier: 'Dirección compartida',
  setup: 'Conexión',
  setupHint: 'Conecta la integración con una cuenta del otro servicio, en otra pestaña.',
  setUp: 'Conectar una cuenta',
  setUpAgain: 'Conectar de nuevo',
  connectedAs: (identifier) => `Conectada como ${identifier}`,
  identifierHint:
    'Todos los bots con esta integración tienen también esta dirección. El identificador de una solicitud ' +
    'la dirige a un bot. La mayoría de las integraciones lo definen ellas mismas al registrarse.',
  identifierOfBot: 'Identificador de este bot',
  noIdentifier: 'ninguno',
  identifierSaved: 'Identificador guardado',
  identifierRemoved: 'Identificador quitado',
  sandbox: {
    title: 'Número compartido',
    hint:
      'Varios bots comparten un número en el otro servicio. Una persona que envía allí el id compartible ' +
      'de este bot habla con él hasta que envía //leave. El id caduca después de 24 horas.',
    noId: 'Este bot no tiene id compartible.',
    expired: 'El id compartible caducó.',
    create: 'Crear id compartible',
    extend: 'Prorrogar 24 horas',
    linked: 'Conversaciones vinculadas',
    noneLinked: 'Nadie ha enviado todavía el id compartible.',
    unlink: 'Desvincular todas',
    unlinkTitle: '¿Desvincular todas las conversaciones?',
    unlinkText:
      'Estas personas dejan de hablar con este bot. Pueden volver a vincularse con su id compartible.',
    unlinked: 'Conversaciones desvinculadas',
  },
  requests: 'Últimas solicitudes',
  requestsHint: 'A la dirección del webhook. El servidor conserva las últimas 100.',
  requestsNotRecorded: (page) =>
    'El servidor no guarda las solicitudes de esta integración. ' +
    `Sus mensajes están en la página ${page}.`,
  noRequests: 'Aún no hay solicitudes',
  time: 'Hora',
  request: 'Solicitud',
  status: 'Estado',
  duration: 'Duración',
  milliseconds: (ms) => `${ms} ms`,
  failed: 'sin respuesta',
  replay: 'Repetir',
  replayed: (status) =>
    status === undefined
      ? 'La integración no respondió'
      : `La integración respondió ${status}`,
  repeated: 'repetida',
  details: 'Solicitud',
  headers: 'Encabezados',
  query: 'Consulta',
  body: 'Cuerpo',
  noBody: 'Sin cuerpo',
  binary: (bytes) => `Contenido binario, ${thousands(bytes)} bytes`,
  cut: (bytes) => `El principio de ${thousands(bytes)} bytes`,
  response: 'Respuesta',
}
