import type { chat as English } from '../../en/bot/chat.ts'

export const chat: typeof English = {
  title: 'Chat web',
  none: 'Este bot no tiene chat web',
  noneHint:
    'Instale la integración «webchat» o «chat» para que la gente pueda hablar con él.',
  integrations: 'Integraciones',
  share: 'Compartir',
  link: 'Dirección de la página de chat',
  open: 'Abrir',
  snippet: 'En su sitio web',
  snippetHint: 'Inserte esta línea antes de </body>.',
  signedShareHint:
    'Inserte esta línea antes de </body>, con la clave de usuario del visitante.',
  look: 'Apariencia',
  lookHint: 'Para la página de chat y el botón en los sitios web.',
  name: 'Nombre',
  avatarUrl: 'Imagen',
  avatarHint: 'Dirección de una imagen cuadrada.',
  notAddress: 'Indique una dirección que empiece con https:// o http://',
  noPicture: 'El navegador no encuentra ninguna imagen en esta dirección.',
  color: 'Color',
  radius: 'Redondeo de las esquinas, en píxeles',
  theme: 'Tema',
  themes: { system: 'Sistema', light: 'Claro', dark: 'Oscuro' },
  position: 'Lado del botón',
  positions: { right: 'Derecha', left: 'Izquierda' },
  greeting: 'Saludo',
  greetingHint: 'Se muestra antes del primer mensaje. Markdown.',
  suggestions: 'Preguntas sugeridas',
  suggestionsHint: 'Una por línea, 6 como máximo',
  tooManySuggestions: 'Deje 6 preguntas como máximo.',
  longSuggestion: (line) => `Acorte «${line.slice(0, 40)}…» a 150 caracteres.`,
  language: 'Idioma',
  visitorsLanguage: 'El del visitante',
  languages: {
    ar: 'العربية',
    de: 'Deutsch',
    en: 'English',
    es: 'Español',
    fr: 'Français',
    pt: 'Português',
  },
  uploads: 'Los visitantes pueden enviar archivos',
  originsExample: 'https://www.example.org',
  origins: 'Sitios web permitidos',
  originsHint:
    'Uno por línea. Solo las páginas de estos sitios web pueden mostrar el chat. Si queda vacío, puede ' +
    'hacerlo cualquiera.',
  completedOrigins: (origins) => `Se guarda como: ${origins.join(', ')}`,
  notOrigin: (line, origin) =>
    `«${line}» no es la dirección de un sitio web. Escriba ${origin}, sin ruta.`,
  preview: 'Vista previa',
  previewShows: 'Vista previa de',
  previews: { start: 'Inicio', conversation: 'Conversación' },
  signed: 'Visitantes identificados',
  signedOff:
    'Los visitantes son anónimos. Con claves de usuario, solo pueden usar el chat las personas que inician ' +
    'sesión en su sitio web, y encuentran su conversación en todos sus dispositivos.',
  signedOn:
    'Solo pueden usar el chat los visitantes con una clave de usuario de su sitio web.',
  requireKeys: 'Exigir claves de usuario',
  requireKeysEffect:
    'Los visitantes anónimos ya no podrán usar el chat, tampoco en la dirección de la página de chat. Su ' +
    'sitio web debe enviar claves de usuario.',
  allowAnonymous: 'Permitir visitantes anónimos',
  allowAnonymousEffect:
    'Las claves de usuario que firmó su sitio web dejan de ser válidas.',
  encryptionKey:
    'Clave de cifrado. Firma las claves de usuario: guárdela en el servidor de su sitio web.',
  signHint:
    'En el servidor de su sitio web, firme una clave de usuario para la persona que ha iniciado sesión:',
  signedSnippet: 'En la página, añada la clave a la línea:',
  saved: 'Chat guardado',
}
