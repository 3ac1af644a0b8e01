import type { chat as English } from '../../en/bot/chat.ts'

export const chat: typeof English = {
  title: 'Webchat',
  none: 'Este bot não tem webchat',
  noneHint:
    'Instale a integração “webchat” ou “chat” para as pessoas conversarem com ele.',
  integrations: 'Integrações',
  share: 'Compartilhar',
  link: 'Endereço da página de chat',
  open: 'Abrir',
  snippet: 'No seu site',
  snippetHint: 'Insira esta linha antes de </body>.',
  signedShareHint:
    'Insira esta linha antes de </body>, com a chave de usuário do visitante.',
  look: 'Aparência',
  lookHint: 'Da página de chat e do botão nos sites.',
  name: 'Nome',
  avatarUrl: 'Imagem',
  avatarHint: 'Endereço de uma imagem quadrada.',
  notAddress: 'Informe um endereço que comece com https:// ou http://',
  noPicture: 'O navegador não encontra nenhuma imagem neste endereço.',
  color: 'Cor',
  radius: 'Raio dos cantos, em pixels',
  theme: 'Tema',
  themes: { system: 'Sistema', light: 'Claro', dark: 'Escuro' },
  position: 'Lado do botão',
  positions: { right: 'Direito', left: 'Esquerdo' },
  greeting: 'Saudação',
  greetingHint: 'Aparece antes da primeira mensagem. Aceita Markdown.',
  suggestions: 'Perguntas sugeridas',
  suggestionsHint: 'Uma por linha, no máximo 6',
  tooManySuggestions: 'Deixe no máximo 6 perguntas.',
  longSuggestion: (line: string) => `Reduza “${line.slice(0, 40)}…” a 150 caracteres.`,
  language: 'Idioma',
  visitorsLanguage: 'O do visitante',
  languages: {
    ar: 'العربية',
    de: 'Deutsch',
    en: 'English',
    es: 'Español',
    fr: 'Français',
    pt: 'Português',
  },
  uploads: 'Visitantes podem enviar arquivos',
  originsExample: 'https://www.example.org',
  origins: 'Sites permitidos',
  originsHint:
    'Um por linha. Só as páginas destes sites podem mostrar o chat. Vazio: qualquer site pode.',
  completedOrigins: (origins: string[]) => `Guardado como: ${origins.join(', ')}`,
  notOrigin: (line: string, origin: string) =>
    `“${line}” não é o endereço de um site. Escreva ${origin}, sem caminho.`,
  preview: 'Prévia',
  previewShows: 'Prévia de',
  previews: { start: 'Início', conversation: 'Conversa' },
  signed: 'Visitantes identificados',
  signedOff:
    'Os visitantes são anônimos. Com chaves de usuário, só quem entra no seu site pode usar o ' +
    'chat e encontra a própria conversa em todos os dispositivos.',
  signedOn: 'Só visitantes com uma chave de usuário do seu site podem usar o chat.',
  requireKeys: 'Exigir chaves de usuário',
  requireKeysEffect:
    'Visitantes anônimos não podem mais usar o chat, nem no endereço da página de chat. Seu site ' +
    'precisa enviar chaves de usuário.',
  allowAnonymous: 'Permitir visitantes anônimos',
  allowAnonymousEffect: 'As chaves de usuário que seu site assinou deixam de valer.',
  encryptionKey:
    'Chave de criptografia. Ela assina as chaves de usuário: guarde-a no servidor do seu site.',
  signHint:
    'No servidor do seu site, assine uma chave de usuário para a pessoa que entrou:',
  signedSnippet: 'Na página, acrescente a chave à linha:',
  saved: 'O chat foi salvo',
}
