/** Generated from the contract by `npm run gen`. Do not edit. */

export const images = {
  operation: 'list_images',
  fields: {
    id: ['id', 'Id'],
    workspace: ['named', 'Workspace'],
    name: ['name', 'Name'],
    is_public: ['boolean', 'Public'],
    state: ['state', 'State'],
    failure_reason: ['word', 'Failure reason'],
    sha256: ['code', 'SHA-256'],
    size_bytes: ['bytes', 'Size'],
    format: ['word', 'Format'],
    virtual_size_bytes: ['bytes', 'Disk'],
    deprecated_at: ['age', 'Deprecated'],
    deprecation_message: ['text', 'Deprecation message'],
    revoked_at: ['age', 'Revoked'],
    created_at: ['age', 'Created'],
  },
} as const
