/**
 * Stands where only a person can say what is so, such as whether a request only reads. It compiles in place of anything; a connector that has it
 * still is not taken, with file, line and this question.
 */
export function undecided(question: string): never {
  throw new Error(`it is not decided yet: ${question}`)
}
