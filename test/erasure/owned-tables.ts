import type { Context } from '../../core/context.ts'

/** Columns that say whose something is although no key of another table does. */
const sayWhose = [
  'owner',
  'account',
  'call_id',
  'key_id',
  'used_by',
  'invited_by',
  'email',
  'actor',
  'user_id',
  'address',
]

/** Where a column of such a name means nobody of ours: an address of the network. */
const ofNobody: readonly string[] = ['security_log']

/** Every table with rows of somebody, directly or by what is theirs, and its columns; as the database itself has them. */
export async function ownedTables({ db }: Pick<Context, 'db'>): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await db.query<{ name: string; columns: string[] }>(
    `WITH RECURSIVE owned(name) AS (
       SELECT 'users'::text
       UNION SELECT f.conrelid::regclass::text FROM pg_constraint f JOIN owned o ON f.confrelid = o.name::regclass WHERE f.contype = 'f'
     )
     SELECT table_name::text AS name, array_agg(column_name::text ORDER BY ordinal_position) AS columns
     FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name <> ALL ($2) AND table_name NOT LIKE '%migrations%'
     GROUP BY table_name
     HAVING table_name IN (SELECT name FROM owned) OR bool_or(column_name = ANY ($1)) ORDER BY 1`,
    [sayWhose, ofNobody],
  )
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}
