import type { account as English } from '../en/account.ts'

export const account: typeof English = {
  title: 'Sua conta',
  profile: 'Perfil',
  email: 'E-mail',
  name: 'Nome',
  unverified: 'e-mail não verificado',
  password: 'Senha',
  passwordNone: 'Sua conta não tem senha. Defina uma para entrar sem link.',
  passwordHint: 'Uma senha nova encerra suas outras sessões.',
  current: 'Senha atual',
  currentHint:
    'Pode ficar vazia nos primeiros 15 minutos depois de entrar com um link de uso único.',
  newPassword: 'Nova senha',
  newPasswordHint: 'Pelo menos 12 caracteres, como quatro palavras sem relação entre si.',
  setPassword: 'Definir senha',
  changePassword: 'Alterar senha',
  passwordMissing: 'Defina uma senha para entrar sem link',
  passwordLater: 'Agora não',
  passwordSet: 'Senha definida.',
  removePassword: 'Remover senha',
  passwordRemoved: 'Senha removida.',
  factor: 'Verificação em duas etapas',
  factorHint: 'Um app autenticador protege sua senha com um código.',
  factorOn: (left: number) =>
    `A verificação em duas etapas está ativada. Códigos de recuperação restantes: ${left}.`,
  factorNeedsPassword:
    'Defina uma senha primeiro: a verificação em duas etapas protege a entrada com senha.',
  codesFile: 'botstead-codigos-de-recuperacao.txt',
  download: 'Baixar',
  factorStart: 'Configurar um app autenticador',
  factorScan:
    'Escaneie este código com o app ou digite nele a chave secreta. Depois, digite aqui o código ' +
    'que o app mostra.',
  factorImage: 'Código QR com a chave secreta',
  secret: 'Chave secreta',
  code: 'Código do app',
  confirm: 'Ativar',
  codes: 'Seus códigos de recuperação',
  codesHint:
    'Cada um substitui uma vez o código do app. Guarde-os onde você guarda suas senhas: eles não ' +
    'serão mostrados de novo.',
  codeOrRecovery: 'Código do app ou código de recuperação',
  codeUse:
    'Só para gerar novos códigos de recuperação ou desativar a verificação em duas etapas.',
  newCodes: 'Novos códigos de recuperação',
  turnOff: 'Desativar',
  turnedOff: 'A verificação em duas etapas está desativada.',
  sessions: 'Sessões',
  sessionsHint: 'Navegadores em que você entrou.',
  session: 'Este navegador',
  lastUsed: 'último uso',
  inUse: 'em uso agora',
  signedIn: 'entrou',
  endSession: 'Encerrar',
  endOthers: 'Encerrar as outras sessões',
  endedOthers: (count: number) =>
    count === 1 ? 'Uma sessão encerrada.' : `${count} sessões encerradas.`,
  unknownBrowser: 'Navegador desconhecido',
  back: 'Voltar ao espaço de trabalho',
  backShort: 'Voltar',
}
