import type { bots as English } from '../en/bots.ts'
import { amount } from './amount.ts'

export const bots: typeof English = {
  title: 'Bots',
  create: 'Criar bot',
  empty: 'Nenhum bot ainda',
  emptyHint: 'Comece com um exemplo ou crie um bot a partir dos seus arquivos.',
  emptyViewer: 'Os bots deste espaço de trabalho aparecem aqui.',
  search: 'Buscar por nome',
  nothingFound: 'Nenhum bot com este nome',
  nothingFoundHint: 'Busque outra parte do nome.',
  dev: 'Desenvolvimento',
  blocked: 'Bloqueado',
  activity: (messages: number, pending: number) =>
    `${amount(messages, 'mensagem', 'mensagens')} hoje, ` +
    amount(pending, 'entrega pendente', 'entregas pendentes'),
  name: 'Nome',
  health: 'Saúde',
  pending: 'Pendentes',
  pendingHint: 'Entregas que aguardam o bot',
  today: 'Mensagens hoje',
  deployed: 'Implantado',
  neverDeployed: 'não implantado',
  healths: {
    ok: 'Saudável',
    degraded: 'Com falhas',
    failing: 'Falhando',
    undeployed: 'Não implantado',
  },
  mended: 'nenhuma falha desde a implantação',
  broken: 'o código não carrega',
  deadLetters: (count: number) => amount(count, 'falha'),
  issues: (count: number) => amount(count, 'problema aberto', 'problemas abertos'),
  newBot: {
    title: 'Criar um bot',
    name: 'Nome',
    namePlaceholder: 'Suporte',
    from: 'Começar com',
    sources: {
      example: 'Um exemplo',
      files: 'Arquivos de bot',
      builder: 'Outra plataforma',
      archive: 'Uma exportação',
      scratch: 'Do zero',
      empty: 'Bot vazio',
    },
    scratchHint:
      'Um bot que cumprimenta. Você adiciona as perguntas e respostas na página Fluxos, sem ' +
      'programar.',
    greeting: 'Olá! Como posso ajudar?',
    emptyHint:
      'Para desenvolvedores: um bot que não faz nada até você implantar código nele, aqui ou ' +
      'pela linha de comando.',
    isArchive: (file: string) => `${file} é a exportação de um espaço de trabalho`,
    isArchiveHint: 'Os operadores a importam em “Uma exportação”, nesta página.',
    atUrl:
      'Para desenvolvedores: para adicionar um bot que roda no seu próprio servidor, chame ' +
      '`createBot` da API com a `url` dele.',
    atUrlLink: 'Bots em uma URL',
    missing: 'O documento não contém tudo',
    setSecrets: (names: string[]) =>
      `Defina estes segredos nas configurações: ${names.join(', ')}.`,
    configure: (aliases: string[]) =>
      `Configure e ative estas integrações: ${aliases.join(', ')}.`,
    created: (name: string) => `O bot “${name}” foi criado`,
    createdBroken: (name: string) =>
      `O bot “${name}” foi criado, mas o código dele não carrega`,
  },
  builders: {
    drop: 'Solte aqui o arquivo exportado',
    hint: 'Um bot do Typebot, Dify, Flowise, Voiceflow, Botpress 12 ou do Agent Builder da OpenAI.',
    docs: 'Como exportar',
    choose: 'Escolha um arquivo primeiro',
    empty: (file: string) => `${file} está vazio. Exporte o bot novamente`,
    tooLarge: (file: string) => `${file} tem mais de 10 MB`,
    report: 'Relatório',
    parts: 'Partes do bot',
    result: 'Resultado',
    part: 'Parte',
    note: 'Diferença ou próximo passo',
    results: { carried: 'Igual', changed: 'Com diferença', omitted: 'Não importada' },
    found: (source: string, { carried, changed, omitted }: Record<string, number>) =>
      `${source}. Partes iguais: ${carried}; com diferença: ${changed}; não importadas: ` +
      `${omitted}.`,
    more: (count: number) => `E mais ${amount(count, 'parte')}.`,
    secrets: 'Segredos a definir',
    knowledge: 'Documentos a enviar',
    remarks: 'Atenção',
    save: (path: string) => `Salvar ${path}`,
    name: 'Nome',
    create: 'Criar o rascunho',
    created: (name: string) => `O bot “${name}” foi criado como rascunho`,
  },
  archive: {
    drop: 'Solte aqui uma exportação',
    hint:
      'Um arquivo da página Exportações ou do comando export. Contém um espaço de trabalho com ' +
      'todos os bots.',
    passphrase: 'Frase secreta',
    passphraseHint: 'A da exportação. Deixe vazia se a exportação não tem segredos.',
    import: 'Importar',
    progress: 'Enviado ao servidor',
    tooLarge: 'A exportação é grande demais para um proxy',
    interrupted: 'A conexão caiu antes do fim do envio',
    tooLargeHint:
      'Um proxy na frente do servidor pode limitar o tamanho das requisições. Aumente esse ' +
      'limite ou importe na máquina do servidor: `npm run botstead -- import <archive>`',
    checking: 'O servidor está verificando a exportação e gravando o conteúdo…',
    done: (workspace: string, rows: number) =>
      `O espaço “${workspace}” foi importado: ${amount(rows, 'linha')}`,
    signer: (signer: string) => `Assinada por ${signer}`,
    noSecrets:
      'A exportação não tem segredos: defina os dos bots e das integrações, e as configurações ' +
      'das integrações instaladas.',
    open: 'Abrir o espaço de trabalho',
    notMember: 'Você não é membro dele. Os membros o veem quando entram.',
  },
  examples: {
    create: 'Criar',
    createNamed: (title: string) => `Criar ${title}`,
    needsModel: 'Precisa de um modelo',
    noModel:
      'Nenhum modelo configurado. Um proprietário pode adicionar um nas configurações do servidor.',
  },
  files: {
    drop: 'Solte um bot aqui',
    hint:
      'Um bot.json ou bot.yaml, uma pasta com um deles e o código, ou um pacote: um arquivo .cjs ' +
      'ou .js que exporta uma função chamada handler.',
    sdkHint:
      'Para um projeto com @botpress/sdk, execute `bp build` (a linha de comando oficial) e depois ' +
      'escolha `.botpress/dist/index.cjs`.',
    examples: 'Baixe um exemplo:',
    exampleFiles: {
      document: (size: string) => `um bot.json${size && ` (${size})`}`,
      bundle: (size: string) => `um pacote${size && ` (${size})`}`,
    },
    bundle: (size: string) => `Pacote, ${size}`,
    document: 'Documento de bot',
    codeFiles: (count: number) =>
      count === 1 ? 'com 1 arquivo de código' : `com ${count} arquivos de código`,
    none: 'Não há nenhum bot nestes arquivos',
    noneHint: 'Escolha um bot.json, um bot.yaml ou um pacote.',
    several: 'Há vários bots. Escolha um deles.',
    notDocument: (file: string) => `${file} não é um documento de bot`,
    invalid: (file: string) => `Não é possível ler ${file}`,
    tooLarge: (file: string) => `${file} tem mais de 50 MB`,
    problems: (file: string, count: number) =>
      count === 1 ? `${file} tem um problema` : `${file} tem ${count} problemas`,
    correct: 'Não pode ser implantado. Corrija o arquivo e escolha-o de novo.',
    correctPartly:
      'Não pode ser implantado. Corrija o arquivo e escolha-o de novo: pode haver mais problemas.',
    warnings: (file: string, count: number) =>
      count === 1 ? `${file} tem um aviso` : `${file} tem ${count} avisos`,
    warningsHint: 'Provavelmente um engano, mas pode ser implantado.',
  },
  delete: {
    title: (name: string) => `Excluir ${name}`,
    text: 'Exclui também conversas, usuários, arquivos e tabelas do bot. Não é possível desfazer.',
    button: 'Excluir bot',
    done: (name: string) => `O bot “${name}” foi excluído`,
  },
  transfer: {
    title: 'Mover para outro espaço de trabalho',
    target: 'Espaço de trabalho',
    text:
      'Conversas, arquivos e tabelas acompanham o bot. Os membros deste espaço de trabalho ' +
      'perdem o acesso.',
    button: 'Mover',
    done: 'O bot foi movido',
    noTarget: 'Você não pode criar bots em nenhum outro espaço de trabalho.',
  },
}
