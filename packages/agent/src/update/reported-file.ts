/** The file in the directory of an agent that says which version has had a report accepted by the server. */
export const reportedFile = 'reported.json'
