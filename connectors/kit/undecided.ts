/**
 * Placeholder for a question that a human must answer, such as whether a request only reads. It
 * type-checks anywhere; a connector that still has one is rejected with file, line and question.
 */
export function undecided(question: string): never {
  throw new Error(`it is not decided yet: ${question}`)
}
