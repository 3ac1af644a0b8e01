import type { tables as English } from '../../../en/bot/tables/tables.ts'
import { amount, thousands } from '../../amount.ts'

const values = (count: number) => amount(count, 'valor', 'valores')
const rows = (count: number) => amount(count, 'linha')
const columns = (count: number) => amount(count, 'coluna')

export const tables: typeof English = {
  title: 'Tabelas',
  empty: 'Nenhuma tabela',
  emptyReader: 'Ninguém criou uma tabela ainda.',
  emptyHint: 'Uma tabela guarda dados para o bot: crie uma ou importe um arquivo.',
  new: 'Nova tabela',
  name: 'Nome',
  nameHint: (name: string) => `Fluxos e código usam o nome ${name}.`,
  columns: 'Colunas',
  columnCount: columns,
  column: 'Coluna',
  type: 'Tipo',
  columnExample: 'preco',
  columnName: (n: number) => `Nome da coluna ${n}`,
  columnType: (n: number) => `Tipo da coluna ${n}`,
  addColumn: 'Adicionar coluna',
  removeColumn: (n: number) => `Remover coluna ${n}`,
  frozen: 'bloqueada',
  types: {
    string: 'Texto',
    number: 'Número',
    boolean: 'Sim ou não',
    date: 'Data e hora',
    object: 'Objeto (JSON)',
    array: 'Lista (JSON)',
  },
  actions: 'Ações',
  rename: 'Renomear tabela',
  renamed: 'A tabela foi renomeada',
  delete: 'Excluir tabela',
  deleteHint: 'Exclui a tabela com todas as linhas dela. Não é possível desfazer.',
  deleted: 'A tabela foi excluída',
  noRows: 'Esta tabela não tem linhas',
  noRowsHint: 'Adicione uma linha ou importe um arquivo.',
  noMatch: 'Nenhuma linha encontrada',
  noMatchHint: 'Altere ou limpe os filtros.',
  addRow: 'Adicionar linha',
  newRow: 'Nova linha',
  rowAdded: 'A linha foi adicionada',
  deleteRows: (count: number) => `Excluir ${rows(count)}`,
  deleteRowsHint: 'Não é possível desfazer.',
  rowsDeleted: (count: number) => `Linhas excluídas: ${thousands(count)}`,
  search: 'Buscar',
  searchHint: 'Palavras em qualquer coluna',
  refresh: 'Atualizar',
  grid: {
    number: 'Linha',
    rows,
    rowsOf: (count: number, total: number) => `${thousands(count)} de ${rows(total)}`,
    stale: 'Ainda não calculado',
    notComputed: (reason: string) => `Não calculado: ${reason}`,
    failed: (count: number) =>
      `${amount(count, 'célula não foi salva', 'células não foram salvas')}.`,
    failedAt: ({
      rowId,
      column,
      error,
    }: {
      rowId: number
      column: string
      error: string
    }) => `Linha ${rowId}, ${column}: ${error}`,
    notBoolean: 'deve ser sim ou não',
    discard: 'Descartar',
    unsorted: 'Uma coluna ordenada foi alterada.',
    sortAgain: 'Ordenar de novo',
    undo: 'Desfazer alterações de células',
    redo: 'Refazer alterações de células',
    hint: 'Enter ou clique duplo edita, Delete limpa, Shift+Espaço escolhe uma linha',
    sortBy: (name: string) => `Ordenar por ${name}`,
    ascending: 'crescente',
    descending: 'decrescente',
    dateHint: '2026-01-31',
  },
  import: {
    button: 'Importar',
    title: 'Importar um arquivo como tabela',
    into: (name: string) => `Importar em ${name}`,
    drop: 'Solte um arquivo aqui',
    formats:
      'CSV, JSON, XLSX ou ODS (primeira planilha visível). A primeira linha contém os nomes das ' +
      'colunas.',
    found: (file: string, count: number) => `${file}: ${columns(count)}.`,
    foundRows: (count: number, isComplete: boolean) =>
      isComplete ? `${rows(count)}.` : `Mais de ${rows(count)}.`,
    check: 'Confira para onde vão as colunas.',
    leavesOut: 'A importação deixa de fora as linhas com erros e as lista no fim.',
    newTable: 'Nome da nova tabela',
    columns: 'Colunas do arquivo',
    source: 'Coluna do arquivo',
    target: 'Destino',
    type: 'Tipo',
    targetOf: (name: string) => `Destino de ${name}`,
    typeOf: (name: string) => `Tipo de ${name}`,
    nameOf: (name: string) => `Nome da nova coluna para ${name}`,
    nameMissing: 'Informe um nome.',
    nameReserved: 'Toda tabela tem uma coluna com este nome. Escolha outro.',
    nameTaken: 'Outra coluna tem este nome.',
    skip: 'Deixar de fora',
    newColumn: 'Nova coluna',
    tooMany: (count: number) =>
      `Uma tabela tem no máximo ${count} colunas. Deixe algumas de fora.`,
    otherFile: 'Outro arquivo',
    start: 'Iniciar importação',
    running: 'Importando…',
    closable: 'Você pode fechar esta janela. A página da tabela mostra o progresso.',
    fileKept: 'O servidor exclui o arquivo enviado depois de um dia. As linhas ficam.',
    renamed: (source: string, column: string) =>
      `Toda tabela já tem uma coluna “${source}”. A sua passa a se chamar “${column}”.`,
    failed: 'A importação falhou',
    runningNow: (percent: number) => `Importação em andamento: ${percent}%`,
    showResult: 'Mostrar resultado',
    result: 'Resultado da importação',
    hideResult: 'Ocultar',
    done: (added: number, total: number | undefined, leftOut: number) =>
      [
        `Linhas importadas: ${thousands(added)}.`,
        `Deixadas de fora: ${leftOut === 0 ? 'nenhuma' : thousands(leftOut)}.`,
        ...(total === undefined ? [] : [`A tabela tem ${rows(total)}.`]),
      ].join(' '),
    open: 'Abrir tabela',
    rejected: 'Linhas deixadas de fora',
    rejectedHint:
      'Estas linhas ficaram de fora. Baixe-as, corrija-as e importe o arquivo corrigido.',
    place: 'Lugar',
    problem: 'Problema',
    extraRows: (count: number, hasMore: boolean) =>
      `${hasMore ? 'Pelo menos ' : ''}${amount(
        count,
        'linha tem',
        'linhas têm',
      )} mais células do que a tabela tem colunas. A importação deixa essas células de fora: ` +
      'corrija o arquivo primeiro ou escolha para onde elas vão.',
    moreRejected: (shown: number, total: number) =>
      `Aparecem aqui: ${thousands(shown)} de ${thousands(total)}.`,
    formulaHint:
      'O arquivo tem um apóstrofo antes de textos que uma planilha executaria como fórmula.',
    rejectedFile: 'linhas-rejeitadas.csv',
    download: (count: number) => `Baixar ${rows(count)} (CSV)`,
  },
  jobs: {
    title: 'Importações, exportações, alterações',
    empty: 'Nenhuma importação, exportação ou grande alteração nos últimos 30 dias',
    export: (format: string) => `Exportar como ${format}`,
    unchangedCsv: 'CSV para importação, com fórmulas',
    types: {
      export: 'Exportação',
      import: 'Importação',
      clear_column: 'Limpeza de valores antigos',
      clear_vectors: 'Limpeza do índice de busca',
      delete_rows: 'Exclusão de linhas',
      duplicate_table: 'Cópia',
      update_rows: 'Alteração de linhas',
      convert_column: 'Alteração de um tipo',
    },
    states: {
      pending: 'aguardando',
      in_progress: 'em andamento',
      finalizing: 'finalizando',
      completed: 'concluída',
      failed: 'falhou',
    },
    changed: rows,
    leftOut: (type: string, count: number) =>
      type === 'convert_column'
        ? `${values(count)} ${count === 1 ? 'esvaziado' : 'esvaziados'}`
        : `${rows(count)} de fora`,
    download: 'Baixar',
  },
}
