import type {
  archives as EnglishArchives,
  backups as EnglishBackups,
} from '../en/archives.ts'

export const archives: typeof EnglishArchives = {
  title: 'Exportações',
  list: 'Exportações do espaço de trabalho',
  hint:
    'Uma exportação contém tudo deste espaço de trabalho: bots, conversas, arquivos, tabelas e ' +
    'membros. Importe-a em outra instalação para mover ou copiar o espaço.',
  create: 'Criar exportação',
  createTitle: 'Criar uma exportação',
  withSecrets: 'Incluir segredos, criptografados com uma frase secreta',
  withoutSecretsHint:
    'Sem eles, a exportação fica sem segredos, sem configurações e sem versões dos bots.',
  passphrase: 'Frase secreta',
  passphraseHint:
    'Pelo menos 12 caracteres. O servidor não a guarda; ela será pedida na importação.',
  start: 'Iniciar',
  empty: 'Nenhuma exportação',
  emptyHint: 'Crie uma para mover este espaço de trabalho ou guardar uma cópia dele.',
  started: 'Início',
  state: 'Status',
  size: 'Tamanho',
  actions: 'Ações',
  states: { running: 'Em andamento', done: 'Concluída', failed: 'Falhou' },
  progress: (percent: number) => `${percent}%`,
  progressOf: (file: string) => `Progresso de ${file}`,
  by: (email: string) => `por ${email}`,
  withoutSecrets: 'sem segredos',
  download: 'Baixar',
  downloadOne: (file: string) => `Baixar ${file}`,
  delete: 'Excluir',
  deleteOne: (file: string) => `Excluir ${file}`,
  deleteText: 'O arquivo será excluído para todas as pessoas. Não é possível desfazer.',
  stop: 'Parar',
  stopOne: (file: string) => `Parar ${file}`,
  stopText: 'O arquivo incompleto será excluído.',
  import: 'Importar…',
  importHow:
    'Na outra instalação, um proprietário do primeiro espaço de trabalho abre Criar bot > Uma ' +
    'exportação. Ou execute no clone dela:',
  importOne: (file: string) => `Importar ${file}`,
  importText: (workspace: string) =>
    'Baixe o arquivo. Na outra instalação, abra Criar bot > Uma exportação, como proprietário do ' +
    'primeiro espaço de trabalho. Ou execute isto no clone dela. ' +
    `Ela ainda não pode ter o espaço de trabalho “${workspace}”.`,
  importFirst:
    'Cada instalação cria seu primeiro espaço de trabalho na primeira inicialização, sempre com ' +
    'o mesmo id. Para importar a exportação de um espaço desses, execute o comando antes da ' +
    'primeira inicialização.',
  importPassphrase: 'O arquivo passphrase.txt contém a frase secreta.',
}
export const backups: typeof EnglishBackups = {
  title: 'Backups',
  list: 'Backups da instalação',
  hint:
    'Um backup contém o banco de dados e todos os arquivos como estão em um dado momento, sem ' +
    'parar os servidores. Ele não contém as chaves: guarde uma cópia delas em outro lugar.',
  lastSuccess: 'Backup mais recente',
  lastVerified: 'Backup verificado mais recente',
  next: 'Próximo backup agendado',
  notScheduled: 'não agendado: defina BOTSTEAD_BACKUP_SCHEDULE',
  never: 'nenhum',
  failed: (time: string, reason: string) => `O backup de ${time} falhou: ${reason}`,
  overdue: 'Há backups atrasados. O log do servidor mostra o motivo.',
  folder: 'Pasta dos backups:',
  keysFolder: 'Pasta das chaves:',
  create: 'Fazer backup agora',
  empty: 'Nenhum backup ainda.',
  restore: 'Restaurar…',
  restoreOne: (file: string) => `Restaurar ${file}`,
  restoreText:
    'Execute estes comandos no clone, em uma máquina que tenha o arquivo. Eles restauram em uma ' +
    'nova pasta de dados; esta instalação fica como está.',
  keys: 'Copie as chaves:',
  command: 'Restaure:',
  restoreSettings:
    'As chaves desta instalação estão em variáveis: defina os mesmos valores de ' +
    'BOTSTEAD_MASTER_KEY e BOTSTEAD_CHAT_KEY.',
  restoreDatabase:
    'Para restaurar no seu próprio PostgreSQL, aponte DATABASE_URL para um banco de dados vazio.',
}
