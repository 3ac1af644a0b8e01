import type { serverSettings as English } from '../en/server-settings.ts'
import { amount } from './amount.ts'

export const serverSettings: typeof English = {
  title: 'Ajustes del servidor',
  hint:
    'Ajustes de toda la instalación. Un cambio se aplica de inmediato en todos los servidores, sin ' +
    'reiniciarlos. Las claves y las contraseñas se guardan cifradas y no se vuelven a mostrar.',
  setBy: (variable) => `Definido por ${variable} en el servidor`,
  setByHint:
    'Una variable de entorno tiene prioridad sobre esta página. Para cambiar el ajuste aquí, quite la ' +
    'variable en el servidor y reinícielo.',
  test: 'Probar',
  testing: 'Probando…',
  works: 'Funciona',
  worksNot: 'No funciona',
  notSaved: 'Aún sin guardar.',
  saveAnyway: 'Guardar igualmente',
  remove: 'Quitar',
  removeOne: (setting) => `Quitar el ajuste «${setting}»`,
  removeText: 'El servidor vuelve de inmediato al valor predeterminado.',
  removed: 'Ajuste quitado',
  stored: 'guardada',
  storedHint: 'Déjela vacía para conservar la guardada.',
  address: {
    title: 'Dirección pública',
    hint:
      'La dirección con la que los visitantes, los servicios de mensajería y los miembros llegan a este ' +
      'servidor desde internet. La contienen los enlaces, los webhooks y el código para sitios web.',
    url: 'Dirección',
    placeholder: 'https://bots.example.org',
    inUse: (url) => `En uso ahora: ${url}`,
    removeText:
      'Los enlaces y webhooks usan entonces la dirección en la que escucha el servidor.',
    after:
      'Después de un cambio, guarde de nuevo la configuración de cada servicio de mensajería conectado: ' +
      'todavía envía a la dirección anterior. Los miembros deben iniciar sesión de nuevo en la nueva.',
    open: (url) => `Abrir el panel en ${url}`,
  },
  model: {
    title: 'Modelo de lenguaje',
    hint:
      'El modelo `auto` de todos los bots, las columnas calculadas y las tarjetas de IA. Su proveedor ' +
      'recibe los textos que los bots le envían, y le cobra a usted por ellos.',
    type: 'Proveedor',
    types: {
      openai: 'OpenAI',
      anthropic: 'Anthropic',
      google: 'Google',
      mistral: 'Mistral',
      'openai-compatible': 'Otro, o un modelo en su propia máquina',
    },
    url: 'Dirección',
    urlHint:
      'De una API compatible con OpenAI; suele terminar en /v1. Ollama: http://127.0.0.1:11434/v1',
    ownUrl: 'la del proveedor',
    model: 'Modelo',
    modelHint: 'El nombre tal como aparece en la documentación del proveedor.',
    key: 'Clave',
    removeText:
      'Los bots y las columnas que necesitan un modelo fallan hasta que haya otro.',
  },
  embeddings: {
    title: 'Búsqueda por significado',
    hint:
      'El modelo que compara las preguntas con sus documentos. Sin él, el modelo incluido se ejecuta en ' +
      'esta máquina; solo conoce el inglés. Después de un cambio, el servidor vuelve a calcular todos los ' +
      'documentos, lo que tarda de minutos a horas; mientras tanto, busca por palabras.',
    removeText:
      'El servidor sigue con el modelo incluido y vuelve a calcular todos los documentos.',
  },
  backups: {
    title: 'Programación de copias de seguridad',
    hint:
      'Copias de seguridad de toda la instalación. La página «Instalación» las muestra y permite ' +
      'restaurarlas.',
    when: 'Cuándo',
    times: {
      '0 3 * * *': 'Cada noche a las 3:00 UTC',
      '0 */6 * * *': 'Cada seis horas',
      '0 3 * * 0': 'Los domingos a las 3:00 UTC',
      other: 'Otro momento',
    },
    schedule: 'Programación',
    scheduleHint:
      'Cinco campos de cron en UTC: minuto, hora, día, mes y día de la semana. `30 2 * * 1-5`',
    keep: 'Copias que se conservan',
    verify: 'Restaurar cada una como prueba',
    verifyHint:
      'En una base de datos temporal, que necesita tanto espacio libre como su tamaño.',
    removeText:
      'El servidor deja de hacer copias por sí mismo. Las que ya existen se conservan.',
  },
  mail: {
    title: 'Servidor de correo',
    hint:
      'Envía las invitaciones a los miembros, y un aviso a usted cuando falla una copia de seguridad. Use ' +
      'un buzón de su proveedor y, si las ofrece, una contraseña de aplicación.',
    host: 'Servidor SMTP',
    port: 'Puerto del servidor SMTP',
    security: 'Cifrado de SMTP',
    securities: {
      tls: 'TLS desde el principio (normalmente, puerto 465)',
      starttls: 'STARTTLS (normalmente, puerto 587)',
      none: 'Ninguno: solo dentro de su red',
    },
    user: 'Usuario',
    userHint:
      'Suele ser la dirección de correo. Vacío si el servidor no requiere inicio de sesión.',
    password: 'Contraseña',
    from: 'Remitente',
    fromPlaceholder: 'Soporte <soporte@example.org>',
    recipient: 'Enviar el correo de prueba a',
    removeText: 'Las invitaciones vuelven a ser enlaces que usted mismo debe enviar.',
    pending: (count) =>
      amount(count, 'correo pendiente de envío', 'correos pendientes de envío'),
    failed: (recipient, time) => `No se envió el correo a ${recipient} del ${time}:`,
  },
}
