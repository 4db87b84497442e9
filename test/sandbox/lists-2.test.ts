import { tables } from './tables/index.ts'
import { checkLists } from './tables/lists.ts'

for (const table of tables.filter((_, at) => at % 2 === 1)) checkLists(table)
