/** An input as the query of a GET: text for scalars, names repeated for lists, JSON text for objects. */
export function queryOf(input: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      query.append(name, typeof item === 'object' ? JSON.stringify(item) : String(item))
    }
  }
  return query.toString()
}
