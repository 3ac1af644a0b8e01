import type { SavedVersion } from '@botstead/contract'
import type { versions as English } from '../../en/bot/versions.ts'
import { thousands } from '../amount.ts'

/** The name alone could be that of the bot. */
const toVersion = ({ name, number }: SavedVersion) =>
  number === undefined ? `versão “${name}”` : `versão nº ${number} (${name})`

export const versions: typeof English = {
  title: 'Versões',
  intro:
    'Uma versão é uma cópia salva do bot: código, definições e integrações instaladas. Cada ' +
    'implantação salva uma.',
  saveHint:
    'Salve o estado atual depois de alterar configurações ou integrações, para poder voltar a ele.',
  save: 'Salvar estado atual',
  saveTitle: 'Salvar o bot como versão',
  saveText: 'Uma versão contém código, definições e integrações instaladas.',
  saved: (name: string) => `A versão “${name}” foi salva`,
  versionName: 'Nome da versão',
  description: 'Descrição',
  empty: 'Nenhuma versão ainda',
  emptyHint: 'Implante código: cada implantação vira uma versão.',
  running: 'Em execução',
  modified: 'Em execução, alterada depois',
  broken: 'Não carrega',
  loadAgain: 'Tentar de novo',
  by: (author: string) => `por ${author}`,
  deployedAgain: 'implantada de novo',
  more: (name: string) => `Mais ações para ${name}`,
  deploy: 'Implantar',
  deployFiles: 'Implantar arquivos',
  deployTitle: 'Implantar arquivos',
  deployText:
    'Um pacote substitui o código do bot. Um bot.json substitui o código e as definições; se ele ' +
    'lista integrações, as outras são removidas. O resultado vira uma versão.',
  deployed: (name: string) => `A versão “${name}” foi implantada`,
  deployedBroken: (name: string) => `A versão “${name}” foi implantada, mas não carrega`,
  rolledBack: (version: SavedVersion) =>
    `O bot foi revertido para a ${toVersion(version)}`,
  rollback: 'Reverter para esta versão',
  rollbackTo: ({ name, number }: SavedVersion) =>
    `Reverter para ${number === undefined ? name.slice(0, 30) : `nº ${number}`}`,
  rollbackTitle: (version: SavedVersion) => `Reverter para a ${toVersion(version)}?`,
  rollbackNow: 'Reverter',
  rollbackText:
    'O bot recebe na hora o código, as definições e as integrações desta versão. Nome, tags, ' +
    'segredos, conversas e dados ficam.',
  rollbackChanges: 'O que muda:',
  rollbackSame:
    'Os documentos exportados são iguais; as configurações de integrações podem ser diferentes.',
  rollbackKept: 'O estado atual já está salvo: você pode voltar a ele.',
  rollbackSaves:
    'O estado atual é salvo antes como uma versão, para você poder voltar a ele.',
  removed: {
    integrations: (alias: string) =>
      `Remove a integração ${alias} e as configurações dela. O webhook dela deixa de ` +
      'funcionar até você reverter de novo',
    plugins: (alias: string) => `Remove o plugin ${alias} e as configurações dele`,
  },
  savedBeforeRollback: 'Salva antes de reverter',
  savedBeforeDeployment: 'Salva antes da implantação',
  rename: 'Renomear',
  renameTitle: (version: SavedVersion) => `Renomear a ${toVersion(version)}`,
  renamed: (name: string) => `A versão agora se chama “${name}”`,
  deleteTitle: (version: SavedVersion) => `Excluir a ${toVersion(version)}?`,
  deleteText:
    'Não será mais possível reverter para esta versão. O bot continua em execução.',
  deleted: (version: SavedVersion) => `A ${toVersion(version)} foi excluída`,
  compare: 'Comparar',
  openTitle: (version: SavedVersion) => toVersion(version).replace(/^v/, 'V'),
  view: 'O que mostrar',
  views: {
    contents: 'Conteúdo',
    former: 'Alterações desde a versão anterior',
    current: 'Comparação com a atual',
  },
  same: 'São iguais.',
  since: (name: string) => `Alterações desde ${name}:`,
  part: 'Parte',
  parts: {
    definition: 'Definição',
    code: 'Código',
  },
  changes: {
    added: (path: string) => `+ ${path}`,
    removed: (path: string) => `− ${path}`,
    changed: (path: string) => path,
  },
  moreChanges: (count: number) => `e mais ${thousands(count)}`,
  left: 'Antes',
  right: 'Estado atual',
  unified: (left: string, right: string) =>
    `As linhas vermelhas são de “${left}”; as verdes, de “${right}”.`,
  download: 'Baixar',
}
