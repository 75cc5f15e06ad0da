/** Recorded from a sandbox by `npm run gen`. Do not edit. contract: d4660b6876e69f08
 */
import type { RecordedCalls } from '../openapi/examples.ts'

/** What was sent and received in one call of each operation. */
export const recordedCalls: RecordedCalls = {
  "get_account": {
    "response": {
      "object": "account",
      "id": "acme",
      "name": "Acme Research",
      "entity_type": null,
      "trust_level": "trusted",
      "is_frozen": false,
      "is_platform": false,
      "token_lifetime_max_days": 365,
      "created_at": 1791968340,
      "token": {
        "object": "token",
        "id": "tokn_nuocUneLLfXU8YGFZuuAe",
        "name": "admin",
        "expires_at": null
      },
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "user": null,
      "server": {
        "version": "0.1.0",
        "interface_version": "0.1.0",
        "mode": "sandbox",
        "now": 1795424400
      }
    }
  },
  "list_limits": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "limit",
          "name": "workspaces",
          "unit": "count",
          "value": 50,
          "used": 3,
          "scope": "account",
          "source": "trust_level"
        },
        {
          "object": "limit",
          "name": "users",
          "unit": "count",
          "value": 200,
          "used": 2,
          "scope": "account",
          "source": "trust_level"
        }
      ],
      "has_more": false
    }
  },
  "get_limit": {
    "params": {
      "name": "instances"
    },
    "response": {
      "object": "limit",
      "name": "instances",
      "unit": "count",
      "value": 1000,
      "used": 12,
      "scope": "account",
      "source": "trust_level"
    }
  },
  "create_workspace": {
    "body": {
      "name": "inference"
    },
    "response": {
      "object": "workspace",
      "id": "wksp_h-LKQMxUzd8dp7FbMBc6K",
      "resource_path": "svc:workspace:acme:inference",
      "name": "inference",
      "created_at": 1795424400
    }
  },
  "list_workspaces": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "workspace",
          "id": "wksp_h-LKQMxUzd8dp7FbMBc6K",
          "resource_path": "svc:workspace:acme:inference",
          "name": "inference",
          "created_at": 1795424400
        },
        {
          "object": "workspace",
          "id": "wksp_TcpxZTQu_C4wF4mCz4atJ",
          "resource_path": "svc:workspace:acme:staging",
          "name": "staging",
          "created_at": 1795420740
        }
      ],
      "has_more": true,
      "cursor": "wkspc_4Ax2xYGssHd31SxOylAkcstP"
    }
  },
  "get_workspace": {
    "params": {
      "id": "svc:workspace:acme:inference"
    },
    "response": {
      "object": "workspace",
      "id": "wksp_h-LKQMxUzd8dp7FbMBc6K",
      "resource_path": "svc:workspace:acme:inference",
      "name": "inference",
      "created_at": 1795424400
    }
  },
  "update_workspace": {
    "params": {
      "id": "svc:workspace:acme:inference"
    },
    "body": {
      "name": "serving"
    },
    "response": {
      "object": "workspace",
      "id": "wksp_h-LKQMxUzd8dp7FbMBc6K",
      "resource_path": "svc:workspace:acme:serving",
      "name": "serving",
      "created_at": 1795424400
    }
  },
  "delete_workspace": {
    "params": {
      "id": "svc:workspace:acme:serving"
    }
  },
  "create_user": {
    "body": {
      "email": "grace@acme.example",
      "name": "grace",
      "first_name": "Grace",
      "last_name": "Hopper"
    },
    "response": {
      "object": "user",
      "id": "usr_z6eaBsvRADT92gAAJvCuR",
      "resource_path": "svc:user:acme:grace",
      "name": "grace",
      "email": "grace@acme.example",
      "first_name": "Grace",
      "last_name": "Hopper",
      "created_at": 1795424400
    }
  },
  "list_users": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "user",
          "id": "usr_z6eaBsvRADT92gAAJvCuR",
          "resource_path": "svc:user:acme:grace",
          "name": "grace",
          "email": "grace@acme.example",
          "first_name": "Grace",
          "last_name": "Hopper",
          "created_at": 1795424400
        },
        {
          "object": "user",
          "id": "usr_H05wyudSaiA8Ro27HhcsY",
          "resource_path": "svc:user:acme:ben",
          "name": "ben",
          "email": "ben@acme.example",
          "first_name": null,
          "last_name": null,
          "created_at": 1795420740
        }
      ],
      "has_more": true,
      "cursor": "usrc_5w4f1JsHzx4fYLMV5lumunsF"
    }
  },
  "get_user": {
    "params": {
      "id": "usr_SV1166gxbzLpxV6rDeWgD"
    },
    "response": {
      "object": "user",
      "id": "usr_SV1166gxbzLpxV6rDeWgD",
      "resource_path": "svc:user:acme:ada",
      "name": "ada",
      "email": "ada@acme.example",
      "first_name": "Ada",
      "last_name": "Adams",
      "created_at": 1795420740
    }
  },
  "update_user": {
    "params": {
      "id": "svc:user:acme:grace"
    },
    "body": {
      "last_name": "Murray"
    },
    "response": {
      "object": "user",
      "id": "usr_z6eaBsvRADT92gAAJvCuR",
      "resource_path": "svc:user:acme:grace",
      "name": "grace",
      "email": "grace@acme.example",
      "first_name": "Grace",
      "last_name": "Murray",
      "created_at": 1795424400
    }
  },
  "create_user_sign_in_link": {
    "params": {
      "id": "svc:user:acme:grace"
    },
    "response": {
      "object": "sign_in_link",
      "url": "https://bourse.example/sign-in/PCLgp7Yt7q909gHpUUlaHA.WUNsooMByOHXuKDNL6Y8kK9OGKjZEXXvA6QSjMjqFZY",
      "expires_at": 1795425300
    }
  },
  "list_user_passkeys": {
    "params": {
      "id": "usr_SV1166gxbzLpxV6rDeWgD"
    },
    "response": {
      "object": "list",
      "data": [],
      "has_more": false
    }
  },
  "list_user_identities": {
    "params": {
      "id": "usr_SV1166gxbzLpxV6rDeWgD"
    },
    "response": {
      "object": "list",
      "data": [],
      "has_more": false
    }
  },
  "end_user_sessions": {
    "params": {
      "id": "svc:user:acme:grace"
    }
  },
  "delete_user": {
    "params": {
      "id": "svc:user:acme:grace"
    }
  },
  "create_role": {
    "body": {
      "name": "runner",
      "policy": {
        "api_version": "roles/v1",
        "description": "Runs instances, without buying.",
        "rules": [
          {
            "effect": "allow",
            "actions": {
              "instance": [
                "*"
              ],
              "image": [
                "read",
                "list"
              ],
              "pool": [
                "read",
                "list"
              ]
            }
          }
        ]
      }
    },
    "response": {
      "object": "role",
      "id": "role_6iKfAIAeYAgGwOPpq4Wo9",
      "resource_path": "svc:role:acme:runner",
      "name": "runner",
      "role_type": "custom",
      "policy": {
        "api_version": "roles/v1",
        "description": "Runs instances, without buying.",
        "rules": [
          {
            "effect": "allow",
            "actions": {
              "image": [
                "read",
                "list"
              ],
              "instance": [
                "*"
              ],
              "pool": [
                "read",
                "list"
              ]
            }
          }
        ]
      },
      "created_at": 1795424400,
      "updated_at": 1795424400
    }
  },
  "list_roles": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "role",
          "id": "role_admin",
          "resource_path": "svc:role:acme:admin",
          "name": "admin",
          "role_type": "built_in",
          "policy": {
            "api_version": "roles/v1",
            "description": "Everything.",
            "rules": [
              {
                "effect": "allow",
                "actions": {
                  "*": [
                    "*"
                  ]
                }
              }
            ]
          },
          "created_at": 1791968340,
          "updated_at": 1791968340
        },
        {
          "object": "role",
          "id": "role_operator",
          "resource_path": "svc:role:acme:operator",
          "name": "operator",
          "role_type": "built_in",
          "policy": {
            "api_version": "roles/v1",
            "description": "Runs machines, images and networks.",
            "rules": [
              {
                "effect": "allow",
                "actions": {
                  "workspace": [
                    "read",
                    "list"
                  ],
                  "image": [
                    "*"
                  ],
                  "instance_template": [
                    "*"
                  ],
                  "instance": [
                    "*"
                  ],
                  "secret": [
                    "*"
                  ],
                  "pool": [
                    "read",
                    "list"
                  ],
                  "pool_transfer": [
                    "read",
                    "list"
                  ],
                  "order": [
                    "read",
                    "list"
                  ],
                  "procurement": [
                    "read",
                    "list"
                  ],
                  "deployment": [
                    "*"
                  ],
                  "firewall": [
                    "*"
                  ],
                  "subnet": [
                    "*"
                  ],
                  "infiniband_partition": [
                    "*"
                  ],
                  "event": [
                    "list"
                  ],
                  "webhook": [
                    "read",
                    "list"
                  ],
                  "host": [
                    "*"
                  ]
                }
              }
            ]
          },
          "created_at": 1791968340,
          "updated_at": 1791968340
        }
      ],
      "has_more": true,
      "cursor": "rolec_RD7yYCVJy6GlkUpns8e8Z7sF"
    }
  },
  "get_role": {
    "params": {
      "id": "svc:role:acme:runner"
    },
    "response": {
      "object": "role",
      "id": "role_6iKfAIAeYAgGwOPpq4Wo9",
      "resource_path": "svc:role:acme:runner",
      "name": "runner",
      "role_type": "custom",
      "policy": {
        "api_version": "roles/v1",
        "description": "Runs instances, without buying.",
        "rules": [
          {
            "effect": "allow",
            "actions": {
              "image": [
                "read",
                "list"
              ],
              "instance": [
                "*"
              ],
              "pool": [
                "read",
                "list"
              ]
            }
          }
        ]
      },
      "created_at": 1795424400,
      "updated_at": 1795424400
    }
  },
  "update_role": {
    "params": {
      "id": "svc:role:acme:runner"
    },
    "body": {
      "name": "launcher"
    },
    "response": {
      "object": "role",
      "id": "role_6iKfAIAeYAgGwOPpq4Wo9",
      "resource_path": "svc:role:acme:launcher",
      "name": "launcher",
      "role_type": "custom",
      "policy": {
        "api_version": "roles/v1",
        "description": "Runs instances, without buying.",
        "rules": [
          {
            "effect": "allow",
            "actions": {
              "image": [
                "read",
                "list"
              ],
              "instance": [
                "*"
              ],
              "pool": [
                "read",
                "list"
              ]
            }
          }
        ]
      },
      "created_at": 1795424400,
      "updated_at": 1795424400
    }
  },
  "create_grant": {
    "body": {
      "principal_type": "user",
      "principal_id": "usr_H05wyudSaiA8Ro27HhcsY",
      "role": "role_6iKfAIAeYAgGwOPpq4Wo9",
      "workspace": "svc:workspace:acme:default"
    },
    "response": {
      "object": "grant",
      "id": "grnt_NGqztaYrZdp3FiUr8j8OH",
      "principal_type": "user",
      "principal_id": "usr_H05wyudSaiA8Ro27HhcsY",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "role": {
        "object": "role",
        "id": "role_6iKfAIAeYAgGwOPpq4Wo9",
        "name": "launcher"
      },
      "provider": null,
      "created_at": 1795424400,
      "created_by": {
        "type": "token",
        "id": "tokn_nuocUneLLfXU8YGFZuuAe",
        "name": "admin"
      }
    }
  },
  "list_grants": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "grant",
          "id": "grnt_NGqztaYrZdp3FiUr8j8OH",
          "principal_type": "user",
          "principal_id": "usr_H05wyudSaiA8Ro27HhcsY",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "role": {
            "object": "role",
            "id": "role_6iKfAIAeYAgGwOPpq4Wo9",
            "name": "launcher"
          },
          "provider": null,
          "created_at": 1795424400,
          "created_by": {
            "type": "token",
            "id": "tokn_nuocUneLLfXU8YGFZuuAe",
            "name": "admin"
          }
        },
        {
          "object": "grant",
          "id": "grnt_no3JpDyhTYtIA8ClSOqf-",
          "principal_type": "token",
          "principal_id": "tokn_mmlB7QAZGmevDfDYq_DCA",
          "workspace": {
            "object": "workspace",
            "id": "wksp_K1klzvvWkgX4jrp9tv1Qy",
            "name": "research",
            "resource_path": "svc:workspace:acme:research"
          },
          "role": {
            "object": "role",
            "id": "role_viewer",
            "name": "viewer"
          },
          "provider": null,
          "created_at": 1795420740,
          "created_by": {
            "type": "token",
            "id": "tokn_nuocUneLLfXU8YGFZuuAe",
            "name": "admin"
          }
        }
      ],
      "has_more": true,
      "cursor": "grntc_lEmZckpyLIYy111cbAcR8IOq"
    }
  },
  "get_grant": {
    "params": {
      "id": "grnt_NGqztaYrZdp3FiUr8j8OH"
    },
    "response": {
      "object": "grant",
      "id": "grnt_NGqztaYrZdp3FiUr8j8OH",
      "principal_type": "user",
      "principal_id": "usr_H05wyudSaiA8Ro27HhcsY",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "role": {
        "object": "role",
        "id": "role_6iKfAIAeYAgGwOPpq4Wo9",
        "name": "launcher"
      },
      "provider": null,
      "created_at": 1795424400,
      "created_by": {
        "type": "token",
        "id": "tokn_nuocUneLLfXU8YGFZuuAe",
        "name": "admin"
      }
    }
  },
  "delete_grant": {
    "params": {
      "id": "grnt_NGqztaYrZdp3FiUr8j8OH"
    }
  },
  "delete_role": {
    "params": {
      "id": "svc:role:acme:launcher"
    }
  },
  "check_permissions": {
    "body": {
      "actions": [
        "instance:create",
        "order:create"
      ],
      "workspace": "svc:workspace:acme:research"
    },
    "response": {
      "object": "permission_check",
      "allowed": true
    }
  },
  "get_permissions": {
    "response": {
      "object": "permissions",
      "account": {
        "workspace": [
          "create",
          "read"
        ],
        "user": [
          "create",
          "read"
        ],
        "role": [
          "create",
          "read"
        ],
        "grant": [
          "create",
          "read"
        ],
        "token": [
          "create",
          "read"
        ],
        "image": [
          "create",
          "read"
        ],
        "instance_template": [
          "create",
          "read"
        ],
        "instance": [
          "create",
          "read"
        ],
        "secret": [
          "create",
          "read"
        ],
        "pool": [
          "create",
          "read"
        ],
        "pool_transfer": [
          "create",
          "read"
        ],
        "order": [
          "create",
          "read"
        ],
        "procurement": [
          "create",
          "read"
        ],
        "deployment": [
          "create",
          "read"
        ],
        "firewall": [
          "create",
          "read"
        ],
        "subnet": [
          "create",
          "read"
        ],
        "infiniband_partition": [
          "create",
          "read"
        ],
        "billing": [
          "create",
          "read"
        ],
        "event": [
          "create",
          "read"
        ],
        "audit": [
          "create",
          "read"
        ],
        "webhook": [
          "create",
          "read"
        ],
        "host": [
          "create",
          "read"
        ]
      },
      "workspaces": []
    }
  },
  "create_token": {
    "body": {
      "name": "nightly-jobs",
      "roles": [
        "role_operator"
      ],
      "expires_at": 1803200400
    },
    "response": {
      "object": "token",
      "id": "tokn_51GPmYD3cgk2ZvFOb1VhR",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "nightly-jobs",
      "kind": "service",
      "user": null,
      "device": null,
      "address": null,
      "suffix": "LC31p1",
      "allowed_cidrs": null,
      "resources": null,
      "expires_at": 1803200400,
      "last_used_at": null,
      "created_at": 1795424400,
      "created_by": {
        "type": "token",
        "id": "tokn_nuocUneLLfXU8YGFZuuAe",
        "name": "admin"
      },
      "token": "eyJhbGciOiJFZERTQSJ9.Hjf9lHBhqDHMFrX__kk4mxeF.signature"
    }
  },
  "start_device_login": {
    "body": {
      "client_name": "The command line on laptop-7"
    },
    "response": {
      "device_code": "Qx5jbPCIDXWCR-nrJ6sKdFl4kqu7iM0EWH3Rdjp9A08",
      "user_code": "GHVQ-QLZZ",
      "verification_uri": "https://bourse.example/device",
      "verification_uri_complete": "https://bourse.example/device?user_code=GHVQ-QLZZ",
      "expires_in": 600,
      "interval": 1
    }
  },
  "list_tokens": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "token",
          "id": "tokn_51GPmYD3cgk2ZvFOb1VhR",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "nightly-jobs",
          "kind": "service",
          "user": null,
          "device": null,
          "address": null,
          "suffix": "LC31p1",
          "allowed_cidrs": null,
          "resources": null,
          "expires_at": 1803200400,
          "last_used_at": null,
          "created_at": 1795424400,
          "created_by": {
            "type": "token",
            "id": "tokn_nuocUneLLfXU8YGFZuuAe",
            "name": "admin"
          }
        },
        {
          "object": "token",
          "id": "tokn_mmlB7QAZGmevDfDYq_DCA",
          "workspace": {
            "object": "workspace",
            "id": "wksp_K1klzvvWkgX4jrp9tv1Qy",
            "name": "research",
            "resource_path": "svc:workspace:acme:research"
          },
          "name": "dashboard",
          "kind": "service",
          "user": null,
          "device": null,
          "address": null,
          "suffix": "0nijRu",
          "allowed_cidrs": null,
          "resources": null,
          "expires_at": 1803196740,
          "last_used_at": null,
          "created_at": 1795420740,
          "created_by": {
            "type": "token",
            "id": "tokn_nuocUneLLfXU8YGFZuuAe",
            "name": "admin"
          }
        }
      ],
      "has_more": true,
      "cursor": "tokc_5oDa4iiylGywvuvPaw7eH4aj"
    }
  },
  "get_token": {
    "params": {
      "id": "tokn_51GPmYD3cgk2ZvFOb1VhR"
    },
    "response": {
      "object": "token",
      "id": "tokn_51GPmYD3cgk2ZvFOb1VhR",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "nightly-jobs",
      "kind": "service",
      "user": null,
      "device": null,
      "address": null,
      "suffix": "LC31p1",
      "allowed_cidrs": null,
      "resources": null,
      "expires_at": 1803200400,
      "last_used_at": null,
      "created_at": 1795424400,
      "created_by": {
        "type": "token",
        "id": "tokn_nuocUneLLfXU8YGFZuuAe",
        "name": "admin"
      }
    }
  },
  "delete_token": {
    "params": {
      "id": "tokn_51GPmYD3cgk2ZvFOb1VhR"
    }
  },
  "list_audit_entries": {
    "query": {
      "limit": 2,
      "operation": "update_role"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "audit_entry",
          "id": "audt_Ex_d9y1-lPGSwT783GvsC",
          "occurred_at": 1795424400,
          "account": "acme",
          "actor": {
            "type": "token",
            "id": "tokn_nuocUneLLfXU8YGFZuuAe",
            "name": "admin"
          },
          "operation": "update_role",
          "targets": [
            {
              "type": "role",
              "id": "role_6iKfAIAeYAgGwOPpq4Wo9"
            }
          ],
          "outcome": "done",
          "code": null,
          "changes": [
            {
              "field": "name",
              "old_value": "\"runner\"",
              "new_value": "\"launcher\"",
              "is_secret": false
            }
          ],
          "on_behalf_of": null,
          "address": "127.0.0.1",
          "user_agent": "node",
          "request_id": "req_-0s8ay2--ogzSt------M"
        }
      ],
      "has_more": false,
      "cursor": "audtc_iA5nieeWNnn6Yt51wMZjjo9s"
    }
  },
  "list_events": {
    "query": {
      "limit": 2,
      "target_type": "instance"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "event",
          "id": "evt_-gMXKgK1leIMc2OWntE_g",
          "action": "instance.created",
          "occurred_at": 1795420860,
          "actor": {
            "type": "system"
          },
          "targets": [
            {
              "type": "instance",
              "id": "inst_4X-KBnjDxPsRqK1kw9BFF"
            }
          ],
          "cursor": "evtc_SPmRC8mE_yUFnRZCeRZRudGd"
        },
        {
          "object": "event",
          "id": "evt_LDufLNd-ahbGjQRNGIN3m",
          "action": "instance.created",
          "occurred_at": 1795420860,
          "actor": {
            "type": "system"
          },
          "targets": [
            {
              "type": "instance",
              "id": "inst_wP9oT_OAr0klk2h-TMhOC"
            }
          ],
          "cursor": "evtc_6KUQOfSv7FguRaDC8dR97KbW"
        }
      ],
      "has_more": true,
      "cursor": "evtc_6KUQOfSv7FguRaDC8dR97KbW"
    }
  },
  "create_webhook": {
    "body": {
      "url": "https://hooks.acme.example/bourse",
      "description": "Pager of the training team",
      "actions": [
        "instance.termination_imminent",
        "instance.failed"
      ],
      "enabled": false
    },
    "response": {
      "object": "webhook",
      "id": "whk_Ve-Ofa6pT3xAVH5h3e6gB",
      "url": "https://hooks.acme.example/bourse",
      "description": "Pager of the training team",
      "actions": [
        "instance.termination_imminent",
        "instance.failed"
      ],
      "target_types": [],
      "targets": [],
      "ordering": "none",
      "enabled": false,
      "state": "disabled",
      "disabled_reason": "user",
      "cursor": "evtc_L6LM_97VaggYFetDa5gWxZrW",
      "replay": null,
      "last_success_at": null,
      "last_failure_at": null,
      "created_at": 1795424400,
      "updated_at": 1795424400,
      "secret": "whsec_9NvmVRkvmLoMVmVcvtj3woKa="
    }
  },
  "list_webhooks": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "webhook",
          "id": "whk_Ve-Ofa6pT3xAVH5h3e6gB",
          "url": "https://hooks.acme.example/bourse",
          "description": "Pager of the training team",
          "actions": [
            "instance.termination_imminent",
            "instance.failed"
          ],
          "target_types": [],
          "targets": [],
          "ordering": "none",
          "enabled": false,
          "state": "disabled",
          "disabled_reason": "user",
          "cursor": "evtc_L6LM_97VaggYFetDa5gWxZrW",
          "replay": null,
          "last_success_at": null,
          "last_failure_at": null,
          "created_at": 1795424400,
          "updated_at": 1795424400
        }
      ],
      "has_more": false,
      "cursor": "whkc_9B5W2F1R8YjIoSqsCZawQa_I"
    }
  },
  "get_webhook": {
    "params": {
      "id": "whk_Ve-Ofa6pT3xAVH5h3e6gB"
    },
    "response": {
      "object": "webhook",
      "id": "whk_Ve-Ofa6pT3xAVH5h3e6gB",
      "url": "https://hooks.acme.example/bourse",
      "description": "Pager of the training team",
      "actions": [
        "instance.termination_imminent",
        "instance.failed"
      ],
      "target_types": [],
      "targets": [],
      "ordering": "none",
      "enabled": false,
      "state": "disabled",
      "disabled_reason": "user",
      "cursor": "evtc_L6LM_97VaggYFetDa5gWxZrW",
      "replay": null,
      "last_success_at": null,
      "last_failure_at": null,
      "created_at": 1795424400,
      "updated_at": 1795424400
    }
  },
  "rotate_webhook_secret": {
    "params": {
      "id": "whk_Ve-Ofa6pT3xAVH5h3e6gB"
    },
    "response": {
      "object": "webhook",
      "id": "whk_Ve-Ofa6pT3xAVH5h3e6gB",
      "url": "https://hooks.acme.example/bourse",
      "description": "Pager of the training team",
      "actions": [
        "instance.termination_imminent",
        "instance.failed"
      ],
      "target_types": [],
      "targets": [],
      "ordering": "none",
      "enabled": false,
      "state": "disabled",
      "disabled_reason": "user",
      "cursor": "evtc_L6LM_97VaggYFetDa5gWxZrW",
      "replay": null,
      "last_success_at": null,
      "last_failure_at": null,
      "created_at": 1795424400,
      "updated_at": 1795424400,
      "secret": "whsec_xTwaED2wWUeY8T5jfFsCv58o="
    }
  },
  "test_webhook": {
    "params": {
      "id": "whk_Ve-Ofa6pT3xAVH5h3e6gB"
    },
    "response": {
      "object": "webhook_delivery",
      "id": "wdlv_bN9u3T8AFWr-3Po7nY6o9",
      "webhook": "whk_Ve-Ofa6pT3xAVH5h3e6gB",
      "event": null,
      "origin": "test",
      "state": "pending",
      "attempts": [],
      "next_attempt_at": 1795424400,
      "created_at": 1795424400
    }
  },
  "list_webhook_deliveries": {
    "params": {
      "id": "whk_Ve-Ofa6pT3xAVH5h3e6gB"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "webhook_delivery",
          "id": "wdlv_bN9u3T8AFWr-3Po7nY6o9",
          "webhook": "whk_Ve-Ofa6pT3xAVH5h3e6gB",
          "event": null,
          "origin": "test",
          "state": "pending",
          "attempts": [],
          "next_attempt_at": 1795424400,
          "created_at": 1795424400
        }
      ],
      "has_more": false,
      "cursor": "wdlvc_f--yyKXHcejewnlp-bOLONFp"
    }
  },
  "get_webhook_delivery": {
    "params": {
      "id": "whk_Ve-Ofa6pT3xAVH5h3e6gB",
      "delivery": "wdlv_bN9u3T8AFWr-3Po7nY6o9"
    },
    "response": {
      "object": "webhook_delivery",
      "id": "wdlv_bN9u3T8AFWr-3Po7nY6o9",
      "webhook": "whk_Ve-Ofa6pT3xAVH5h3e6gB",
      "event": null,
      "origin": "test",
      "state": "pending",
      "attempts": [],
      "next_attempt_at": 1795424400,
      "created_at": 1795424400
    }
  },
  "redeliver_webhook_delivery": {
    "params": {
      "id": "whk_Ve-Ofa6pT3xAVH5h3e6gB",
      "delivery": "wdlv_bN9u3T8AFWr-3Po7nY6o9"
    },
    "response": {
      "object": "webhook_delivery",
      "id": "wdlv_8ZRX-A5vf5AK44yVU2ZKP",
      "webhook": "whk_Ve-Ofa6pT3xAVH5h3e6gB",
      "event": null,
      "origin": "test",
      "state": "pending",
      "attempts": [],
      "next_attempt_at": 1795424400,
      "created_at": 1795424400
    }
  },
  "update_webhook": {
    "params": {
      "id": "whk_Ve-Ofa6pT3xAVH5h3e6gB"
    },
    "body": {
      "ordering": "per_target",
      "enabled": true
    },
    "response": {
      "object": "webhook",
      "id": "whk_Ve-Ofa6pT3xAVH5h3e6gB",
      "url": "https://hooks.acme.example/bourse",
      "description": "Pager of the training team",
      "actions": [
        "instance.termination_imminent",
        "instance.failed"
      ],
      "target_types": [],
      "targets": [],
      "ordering": "per_target",
      "enabled": true,
      "state": "active",
      "disabled_reason": null,
      "cursor": "evtc_L6LM_97VaggYFetDa5gWxZrW",
      "replay": null,
      "last_success_at": null,
      "last_failure_at": null,
      "created_at": 1795424400,
      "updated_at": 1795424400
    }
  },
  "replay_webhook": {
    "params": {
      "id": "whk_Ve-Ofa6pT3xAVH5h3e6gB"
    },
    "body": {
      "starting_after": "evtc_L6LM_97VaggYFetDa5gWxZrW"
    },
    "response": {
      "object": "webhook",
      "id": "whk_Ve-Ofa6pT3xAVH5h3e6gB",
      "url": "https://hooks.acme.example/bourse",
      "description": "Pager of the training team",
      "actions": [
        "instance.termination_imminent",
        "instance.failed"
      ],
      "target_types": [],
      "targets": [],
      "ordering": "per_target",
      "enabled": true,
      "state": "active",
      "disabled_reason": null,
      "cursor": "evtc_L6LM_97VaggYFetDa5gWxZrW",
      "replay": null,
      "last_success_at": null,
      "last_failure_at": null,
      "created_at": 1795424400,
      "updated_at": 1795424400
    }
  },
  "delete_webhook": {
    "params": {
      "id": "whk_Ve-Ofa6pT3xAVH5h3e6gB"
    }
  },
  "list_webhook_keys": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "webhook_key",
          "public_key": "whpk_0zwWD0vB0_Jv7YfRbT8i5IqZpy7Ci4F2S5_hQfcac6K=",
          "is_current": true
        }
      ],
      "has_more": false
    }
  },
  "list_skus": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "cursor": "skuc_PEbka-m7LcC9yn2MXHVPdoZ6",
      "data": [
        {
          "object": "sku",
          "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
          "alias": "h100-west",
          "region": {
            "value": "us-west",
            "display_value": "US West"
          },
          "availability_zone": {
            "value": "us-west-1a",
            "display_value": "US West 1a"
          },
          "accelerator": {
            "value": "h100",
            "display_value": "NVIDIA H100"
          },
          "form_factor": {
            "value": "sxm",
            "display_value": "SXM"
          },
          "rdma_type": {
            "value": "infiniband",
            "display_value": "InfiniBand"
          },
          "infiniband_fabric": "west-ib",
          "num_accelerators": {
            "value": 8,
            "display_value": "8"
          },
          "num_vcpus": {
            "value": 192,
            "display_value": "192"
          },
          "memory_bytes": {
            "value": 2199023255552,
            "display_value": "2 TiB"
          },
          "local_storage_bytes": {
            "value": 16492674416640,
            "display_value": "15 TiB"
          },
          "supports_public_ipv4": {
            "value": true,
            "display_value": "Yes"
          }
        },
        {
          "object": "sku",
          "id": "sku_fOfR5IvUV10aasDDXBb08",
          "alias": "a100-north",
          "region": {
            "value": "eu-north",
            "display_value": "EU North"
          },
          "availability_zone": {
            "value": "eu-north-1b",
            "display_value": "EU North 1b"
          },
          "accelerator": {
            "value": "a100",
            "display_value": "NVIDIA A100"
          },
          "form_factor": {
            "value": "pcie",
            "display_value": "PCIe"
          },
          "rdma_type": {
            "value": "roce",
            "display_value": "RoCE"
          },
          "num_accelerators": {
            "value": 8,
            "display_value": "8"
          },
          "num_vcpus": {
            "value": 192,
            "display_value": "192"
          },
          "memory_bytes": {
            "value": 2199023255552,
            "display_value": "2 TiB"
          },
          "local_storage_bytes": {
            "value": 8246337208320,
            "display_value": "7680 GiB"
          },
          "supports_public_ipv4": {
            "value": true,
            "display_value": "Yes"
          }
        }
      ],
      "has_more": false
    }
  },
  "get_sku": {
    "params": {
      "id": "sku_Lp0trjs6Y4iRUtcMc9CmO"
    },
    "response": {
      "object": "sku",
      "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
      "alias": "h100-west",
      "region": {
        "value": "us-west",
        "display_value": "US West"
      },
      "availability_zone": {
        "value": "us-west-1a",
        "display_value": "US West 1a"
      },
      "accelerator": {
        "value": "h100",
        "display_value": "NVIDIA H100"
      },
      "form_factor": {
        "value": "sxm",
        "display_value": "SXM"
      },
      "rdma_type": {
        "value": "infiniband",
        "display_value": "InfiniBand"
      },
      "infiniband_fabric": "west-ib",
      "num_accelerators": {
        "value": 8,
        "display_value": "8"
      },
      "num_vcpus": {
        "value": 192,
        "display_value": "192"
      },
      "memory_bytes": {
        "value": 2199023255552,
        "display_value": "2 TiB"
      },
      "local_storage_bytes": {
        "value": 16492674416640,
        "display_value": "15 TiB"
      },
      "supports_public_ipv4": {
        "value": true,
        "display_value": "Yes"
      }
    }
  },
  "list_sku_properties": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "sku_property",
          "name": "region",
          "display_name": "Region",
          "description": "The location of the machines.",
          "documentation_link": null,
          "deprecated_at": null,
          "deprecation_info": null,
          "type": "enumeration",
          "values": [
            {
              "object": "sku_property",
              "name": "eu-north",
              "display_name": "EU North",
              "description": "",
              "documentation_link": null,
              "deprecated_at": null,
              "deprecation_info": null
            },
            {
              "object": "sku_property",
              "name": "us-west",
              "display_name": "US West",
              "description": "",
              "documentation_link": null,
              "deprecated_at": null,
              "deprecation_info": null
            }
          ]
        },
        {
          "object": "sku_property",
          "name": "availability_zone",
          "display_name": "Availability zone",
          "description": "A part of a region that fails independently of the other parts.",
          "documentation_link": null,
          "deprecated_at": null,
          "deprecation_info": null,
          "type": "enumeration",
          "values": [
            {
              "object": "sku_property",
              "name": "eu-north-1b",
              "display_name": "EU North 1b",
              "description": "",
              "documentation_link": null,
              "deprecated_at": null,
              "deprecation_info": null
            },
            {
              "object": "sku_property",
              "name": "us-west-1a",
              "display_name": "US West 1a",
              "description": "",
              "documentation_link": null,
              "deprecated_at": null,
              "deprecation_info": null
            }
          ]
        }
      ],
      "has_more": false
    }
  },
  "create_pool": {
    "body": {
      "name": "bought",
      "tags": {
        "team": "training"
      }
    },
    "response": {
      "object": "pool",
      "id": "pool_OalI3K9lXBNqBSJ2h0-Sp",
      "resource_path": "svc:pool:acme:default:bought",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "bought",
      "kind": "market",
      "allocation_schedule": {
        "total": [],
        "by_sku": {}
      },
      "procurements": [],
      "deployments": [],
      "tags": {
        "team": "training"
      },
      "created_at": 1795424400
    }
  },
  "list_pools": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "pool",
          "id": "pool_OalI3K9lXBNqBSJ2h0-Sp",
          "resource_path": "svc:pool:acme:default:bought",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "bought",
          "kind": "market",
          "allocation_schedule": {
            "total": [],
            "by_sku": {}
          },
          "procurements": [],
          "deployments": [],
          "tags": {
            "team": "training"
          },
          "created_at": 1795424400
        },
        {
          "object": "pool",
          "id": "pool_1yIR1lNK0U8SVtCZ3tBek",
          "resource_path": "svc:pool:acme:default:legacy",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "legacy",
          "kind": "read_only",
          "allocation_schedule": {
            "total": [
              {
                "start_at": 1795424400,
                "end_at": null,
                "node_count": 1
              }
            ],
            "by_sku": {
              "sku_SB7EiswLiKEiDpZmDRbzG": [
                {
                  "start_at": 1795424400,
                  "end_at": null,
                  "node_count": 1
                }
              ]
            }
          },
          "procurements": [],
          "deployments": [],
          "tags": null,
          "created_at": 1795420740
        }
      ],
      "has_more": true,
      "cursor": "poolc_B5HQT0aGSKhJz4UxPx-g5rqi"
    }
  },
  "create_order_estimate": {
    "body": {
      "side": "buy",
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
      "start_at": 1795428000,
      "duration_seconds": 7200,
      "node_count": 2
    },
    "response": {
      "object": "order_estimate",
      "type": "quoted",
      "post_order_body": {
        "pool": null,
        "side": "buy",
        "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "allocation_schedule_delta": [
          {
            "start_at": 1795428000,
            "end_at": 1795435200,
            "node_count": 2
          }
        ],
        "limit_price_dollars_per_node_hour": "18.051298",
        "allow_standing": false,
        "allow_partial": false
      },
      "node_minutes": 240,
      "traded_node_minutes": 240,
      "offers": [
        {
          "price_dollars_per_node_hour": "18.051298",
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ],
          "node_minutes": 240,
          "total_dollars": "72.205192"
        }
      ],
      "offer_count": 1,
      "total_dollars": "72.205192",
      "average_price_dollars_per_node_hour": "18.051298",
      "worst_case_dollars": "72.205192",
      "fee": {
        "flat_dollars_per_node_hour": "0.000000",
        "percentage_bps": 0,
        "total_dollars": "0.000000"
      },
      "available_dollars": "10000.000000",
      "available_after_dollars": "9927.794808",
      "refusal": null,
      "notices": [],
      "as_of": 1795424400
    }
  },
  "create_order": {
    "body": {
      "pool": "svc:pool:acme:default:bought",
      "side": "buy",
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
      "allocation_schedule_delta": [
        {
          "start_at": 1795428000,
          "end_at": 1795435200,
          "node_count": 2
        }
      ],
      "limit_price_dollars_per_node_hour": "18.051298",
      "allow_standing": false,
      "allow_partial": false
    },
    "response": {
      "object": "order",
      "id": "ordr_s5VjAJBD3N4eFg6AxUroq",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "pool": {
        "object": "pool",
        "id": "pool_OalI3K9lXBNqBSJ2h0-Sp",
        "name": "bought",
        "resource_path": "svc:pool:acme:default:bought"
      },
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "side": "buy",
      "state": "filled",
      "allow_standing": false,
      "allow_partial": false,
      "allocation_schedule_delta": [
        {
          "start_at": 1795428000,
          "end_at": 1795435200,
          "node_count": 2
        }
      ],
      "filled_allocation_schedule_delta": [
        {
          "start_at": 1795428000,
          "end_at": 1795435200,
          "node_count": 2
        }
      ],
      "limit_price_dollars_per_node_hour": "18.051298",
      "filled_average_price_dollars_per_node_hour": "18.051298",
      "held_dollars": "0.000000",
      "fills": [
        {
          "object": "fill",
          "id": "fill_SPeRjWNGTXGE4igv1BKqM",
          "filled_at": 1795424400,
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ],
          "price_dollars_per_node_hour": "18.051298",
          "total_dollars": "72.205192",
          "fee_dollars": "0.000000"
        }
      ],
      "managed_by": null,
      "created_by": {
        "type": "token",
        "id": "tokn_nuocUneLLfXU8YGFZuuAe",
        "name": "admin"
      },
      "created_at": 1795424400,
      "filled_at": 1795424400,
      "cancelled_at": null,
      "cancel_reason": null,
      "rejected_reason": null
    }
  },
  "list_orders": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "order",
          "id": "ordr_s5VjAJBD3N4eFg6AxUroq",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "pool": {
            "object": "pool",
            "id": "pool_OalI3K9lXBNqBSJ2h0-Sp",
            "name": "bought",
            "resource_path": "svc:pool:acme:default:bought"
          },
          "sku": {
            "object": "sku",
            "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
            "alias": "h100-west"
          },
          "side": "buy",
          "state": "filled",
          "allow_standing": false,
          "allow_partial": false,
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ],
          "filled_allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ],
          "limit_price_dollars_per_node_hour": "18.051298",
          "filled_average_price_dollars_per_node_hour": "18.051298",
          "held_dollars": "0.000000",
          "fills": [
            {
              "object": "fill",
              "id": "fill_SPeRjWNGTXGE4igv1BKqM",
              "filled_at": 1795424400,
              "allocation_schedule_delta": [
                {
                  "start_at": 1795428000,
                  "end_at": 1795435200,
                  "node_count": 2
                }
              ],
              "price_dollars_per_node_hour": "18.051298",
              "total_dollars": "72.205192",
              "fee_dollars": "0.000000"
            }
          ],
          "managed_by": null,
          "created_by": {
            "type": "token",
            "id": "tokn_nuocUneLLfXU8YGFZuuAe",
            "name": "admin"
          },
          "created_at": 1795424400,
          "filled_at": 1795424400,
          "cancelled_at": null,
          "cancel_reason": null,
          "rejected_reason": null
        }
      ],
      "has_more": false,
      "cursor": "ordrc_bHYFJ4A6bdBLdxTujGSLf0ss"
    }
  },
  "get_order": {
    "params": {
      "id": "ordr_s5VjAJBD3N4eFg6AxUroq"
    },
    "response": {
      "object": "order",
      "id": "ordr_s5VjAJBD3N4eFg6AxUroq",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "pool": {
        "object": "pool",
        "id": "pool_OalI3K9lXBNqBSJ2h0-Sp",
        "name": "bought",
        "resource_path": "svc:pool:acme:default:bought"
      },
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "side": "buy",
      "state": "filled",
      "allow_standing": false,
      "allow_partial": false,
      "allocation_schedule_delta": [
        {
          "start_at": 1795428000,
          "end_at": 1795435200,
          "node_count": 2
        }
      ],
      "filled_allocation_schedule_delta": [
        {
          "start_at": 1795428000,
          "end_at": 1795435200,
          "node_count": 2
        }
      ],
      "limit_price_dollars_per_node_hour": "18.051298",
      "filled_average_price_dollars_per_node_hour": "18.051298",
      "held_dollars": "0.000000",
      "fills": [
        {
          "object": "fill",
          "id": "fill_SPeRjWNGTXGE4igv1BKqM",
          "filled_at": 1795424400,
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ],
          "price_dollars_per_node_hour": "18.051298",
          "total_dollars": "72.205192",
          "fee_dollars": "0.000000"
        }
      ],
      "managed_by": null,
      "created_by": {
        "type": "token",
        "id": "tokn_nuocUneLLfXU8YGFZuuAe",
        "name": "admin"
      },
      "created_at": 1795424400,
      "filled_at": 1795424400,
      "cancelled_at": null,
      "cancel_reason": null,
      "rejected_reason": null
    }
  },
  "list_order_fills": {
    "params": {
      "id": "ordr_s5VjAJBD3N4eFg6AxUroq"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "fill",
          "id": "fill_SPeRjWNGTXGE4igv1BKqM",
          "filled_at": 1795424400,
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ],
          "price_dollars_per_node_hour": "18.051298",
          "total_dollars": "72.205192",
          "fee_dollars": "0.000000"
        }
      ],
      "has_more": false,
      "cursor": "fillc_8q9kT66Dj0NsdA5p2iX-Fygv"
    }
  },
  "explain_order": {
    "params": {
      "id": "ordr_s5VjAJBD3N4eFg6AxUroq"
    },
    "response": {
      "object": "order_explanation",
      "order": "ordr_s5VjAJBD3N4eFg6AxUroq",
      "state": "filled",
      "as_of": 1795424400,
      "summary": "The order is completely filled.",
      "reasons": [
        {
          "code": "filled",
          "message": "The order is completely filled."
        }
      ],
      "nearest": null,
      "fillable_node_minutes": 0,
      "open_node_minutes": 0,
      "ahead": {
        "order_count": 0,
        "node_minutes": 0
      }
    }
  },
  "get_pool": {
    "params": {
      "id": "svc:pool:acme:default:bought"
    },
    "response": {
      "object": "pool",
      "id": "pool_OalI3K9lXBNqBSJ2h0-Sp",
      "resource_path": "svc:pool:acme:default:bought",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "bought",
      "kind": "market",
      "allocation_schedule": {
        "total": [
          {
            "start_at": 1795428000,
            "end_at": 1795435200,
            "node_count": 2
          }
        ],
        "by_sku": {
          "sku_Lp0trjs6Y4iRUtcMc9CmO": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ]
        }
      },
      "procurements": [],
      "deployments": [],
      "tags": {
        "team": "training"
      },
      "created_at": 1795424400
    }
  },
  "update_pool": {
    "params": {
      "id": "svc:pool:acme:default:bought"
    },
    "body": {
      "name": "training-extra",
      "tags": {
        "team": "training",
        "stage": "test"
      }
    },
    "response": {
      "object": "pool",
      "id": "pool_OalI3K9lXBNqBSJ2h0-Sp",
      "resource_path": "svc:pool:acme:default:training-extra",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "training-extra",
      "kind": "market",
      "allocation_schedule": {
        "total": [
          {
            "start_at": 1795428000,
            "end_at": 1795435200,
            "node_count": 2
          }
        ],
        "by_sku": {
          "sku_Lp0trjs6Y4iRUtcMc9CmO": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ]
        }
      },
      "procurements": [],
      "deployments": [],
      "tags": {
        "team": "training",
        "stage": "test"
      },
      "created_at": 1795424400
    }
  },
  "get_balance": {
    "response": {
      "object": "balance",
      "available_dollars": "9927.794808",
      "total_dollars": "9927.794808",
      "held_dollars": "0.000000",
      "credit_limit_dollars": "0.000000",
      "low_at_dollars": null,
      "is_low": false,
      "updated_at": 1795424400
    }
  },
  "put_balance_threshold": {
    "body": {
      "low_at_dollars": "50.00"
    },
    "response": {
      "object": "balance",
      "available_dollars": "9927.794808",
      "total_dollars": "9927.794808",
      "held_dollars": "0.000000",
      "credit_limit_dollars": "0.000000",
      "low_at_dollars": "50.000000",
      "is_low": false,
      "updated_at": 1795424400
    }
  },
  "list_transactions": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "transaction",
          "id": "txn_DsfekebE4EjTQ097z9jCT",
          "type": "buy_fill",
          "amount_dollars": "-72.205192",
          "balance_after_dollars": "9927.794808",
          "fee_dollars": "0.000000",
          "order": "ordr_s5VjAJBD3N4eFg6AxUroq",
          "fill": "fill_SPeRjWNGTXGE4igv1BKqM",
          "workspace": "wksp_BjQWtZy4EbXGX6Sywj5i2",
          "description": null,
          "created_at": 1795424400
        },
        {
          "object": "transaction",
          "id": "txn_OjYDuZVYnv_YA99WwBtCC",
          "type": "credit_grant",
          "amount_dollars": "10000.000000",
          "balance_after_dollars": "10000.000000",
          "fee_dollars": "0.000000",
          "order": null,
          "fill": null,
          "workspace": null,
          "description": "Initial funds.",
          "created_at": 1795420740
        }
      ],
      "has_more": false,
      "cursor": "txc_4m86dKqXnV0TrDRK6cwb6NRS"
    }
  },
  "create_pool_transfer": {
    "body": {
      "from_pool": "svc:pool:acme:default:training-extra",
      "to_pool": "svc:pool:acme:default:spare-nodes",
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
      "allocation_schedule_delta": [
        {
          "start_at": 1795428000,
          "end_at": 1795431600,
          "node_count": 1
        }
      ]
    },
    "response": {
      "object": "pool_transfer",
      "id": "pxfr_aXJuca4LXZOgjz4TdI3HA",
      "state": "executed",
      "from_pool": "pool_OalI3K9lXBNqBSJ2h0-Sp",
      "to_pool": "pool_R32aMJB4h3JA6SRDVJOAh",
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "allocation_schedule_delta": [
        {
          "start_at": 1795428000,
          "end_at": 1795431600,
          "node_count": 1
        }
      ],
      "rejected_reason": null,
      "created_at": 1795424400,
      "created_by": {
        "type": "token",
        "id": "tokn_nuocUneLLfXU8YGFZuuAe",
        "name": "admin"
      },
      "executed_at": 1795424400
    }
  },
  "list_pool_transfers": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "pool_transfer",
          "id": "pxfr_aXJuca4LXZOgjz4TdI3HA",
          "state": "executed",
          "from_pool": "pool_OalI3K9lXBNqBSJ2h0-Sp",
          "to_pool": "pool_R32aMJB4h3JA6SRDVJOAh",
          "sku": {
            "object": "sku",
            "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
            "alias": "h100-west"
          },
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795431600,
              "node_count": 1
            }
          ],
          "rejected_reason": null,
          "created_at": 1795424400,
          "created_by": {
            "type": "token",
            "id": "tokn_nuocUneLLfXU8YGFZuuAe",
            "name": "admin"
          },
          "executed_at": 1795424400
        }
      ],
      "has_more": false,
      "cursor": "pxfrc_WfwF-SZSgDssgKh36jZvLOMp"
    }
  },
  "get_pool_transfer": {
    "params": {
      "id": "pxfr_aXJuca4LXZOgjz4TdI3HA"
    },
    "response": {
      "object": "pool_transfer",
      "id": "pxfr_aXJuca4LXZOgjz4TdI3HA",
      "state": "executed",
      "from_pool": "pool_OalI3K9lXBNqBSJ2h0-Sp",
      "to_pool": "pool_R32aMJB4h3JA6SRDVJOAh",
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "allocation_schedule_delta": [
        {
          "start_at": 1795428000,
          "end_at": 1795431600,
          "node_count": 1
        }
      ],
      "rejected_reason": null,
      "created_at": 1795424400,
      "created_by": {
        "type": "token",
        "id": "tokn_nuocUneLLfXU8YGFZuuAe",
        "name": "admin"
      },
      "executed_at": 1795424400
    }
  },
  "cancel_order": {
    "params": {
      "id": "ordr_bdkhQfHjcept8hfxr-QWl"
    }
  },
  "delete_pool": {
    "params": {
      "id": "svc:pool:acme:default:scratch"
    }
  },
  "list_orderbook_windows": {
    "query": {
      "range_start_at": 1795424400,
      "range_end_at": 1795446000,
      "limit": 2
    },
    "response": {
      "object": "list",
      "has_more": true,
      "cursor": "winc_8OMitYm1PlXL6RKtUdPYrh_g",
      "requirements": null,
      "range_start_at": 1795424400,
      "range_end_at": 1795446000,
      "data": [
        {
          "sku": "sku_fOfR5IvUV10aasDDXBb08",
          "start_at": 1795424400,
          "end_at": 1795435200,
          "duration_minutes": 180,
          "total_bid_order_count": 3,
          "total_ask_order_count": 3,
          "best_bid": {
            "sku": "sku_fOfR5IvUV10aasDDXBb08",
            "price_dollars_per_node_hour": "7.987006",
            "allocation_schedule_delta": [
              {
                "start_at": 1795424400,
                "end_at": 1795435200,
                "node_count": 2
              }
            ]
          },
          "best_ask": {
            "sku": "sku_fOfR5IvUV10aasDDXBb08",
            "price_dollars_per_node_hour": "8.083430",
            "allocation_schedule_delta": [
              {
                "start_at": 1795424400,
                "end_at": 1795435200,
                "node_count": 2
              }
            ]
          }
        },
        {
          "sku": "sku_fOfR5IvUV10aasDDXBb08",
          "start_at": 1795435200,
          "end_at": 1795436100,
          "duration_minutes": 15,
          "total_bid_order_count": 3,
          "total_ask_order_count": 3,
          "best_bid": {
            "sku": "sku_fOfR5IvUV10aasDDXBb08",
            "price_dollars_per_node_hour": "7.987006",
            "allocation_schedule_delta": [
              {
                "start_at": 1795435200,
                "end_at": 1795436100,
                "node_count": 2
              }
            ]
          },
          "best_ask": {
            "sku": "sku_fOfR5IvUV10aasDDXBb08",
            "price_dollars_per_node_hour": "8.083430",
            "allocation_schedule_delta": [
              {
                "start_at": 1795435200,
                "end_at": 1795436100,
                "node_count": 2
              }
            ]
          }
        }
      ]
    }
  },
  "get_orderbook_status": {
    "query": {
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO"
    },
    "response": {
      "object": "orderbook_status",
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
      "halted": false,
      "scope": null,
      "message": null,
      "halted_at": null
    }
  },
  "get_orderbook_quote": {
    "query": {
      "requirements": "alias:h100-west",
      "start_at": 1795428000,
      "end_at": 1795431600
    },
    "response": {
      "object": "orderbook_quote",
      "requirements": "alias:h100-west",
      "start_at": 1795428000,
      "end_at": 1795431600,
      "requested_at": 1795424400,
      "best_bid": {
        "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "price_dollars_per_node_hour": "17.835974",
        "allocation_schedule_delta": [
          {
            "start_at": 1795428000,
            "end_at": 1795431600,
            "node_count": 2
          }
        ]
      },
      "best_ask": {
        "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "price_dollars_per_node_hour": "18.212791",
        "allocation_schedule_delta": [
          {
            "start_at": 1795428000,
            "end_at": 1795431600,
            "node_count": 3
          }
        ]
      }
    }
  },
  "get_orderbook_depth": {
    "query": {
      "requirements": "alias:h100-west",
      "start_at": 1795428000,
      "end_at": 1795431600
    },
    "response": {
      "object": "orderbook_depth",
      "requirements": "alias:h100-west",
      "start_at": 1795428000,
      "end_at": 1795431600,
      "requested_at": 1795424400,
      "bids": [
        {
          "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
          "price_dollars_per_node_hour": "17.835974",
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795431600,
              "node_count": 2
            }
          ]
        },
        {
          "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
          "price_dollars_per_node_hour": "17.674481",
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795431600,
              "node_count": 3
            }
          ]
        }
      ],
      "asks": [
        {
          "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
          "price_dollars_per_node_hour": "18.212791",
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795431600,
              "node_count": 3
            }
          ]
        },
        {
          "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
          "price_dollars_per_node_hour": "18.481946",
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795431600,
              "node_count": 4
            }
          ]
        }
      ]
    }
  },
  "list_orderbook_fills": {
    "query": {
      "requirements": "alias:h100-west",
      "start_at": 1795428000,
      "end_at": 1795431600,
      "limit": 2
    },
    "response": {
      "object": "list",
      "has_more": true,
      "cursor": "fillc_2T7MspKMd5JAlVhKWsjo4toM",
      "requirements": "alias:h100-west",
      "start_at": 1795428000,
      "end_at": 1795431600,
      "data": [
        {
          "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
          "price_dollars_per_node_hour": "18.051298",
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ],
          "filled_at": 1795424400
        },
        {
          "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
          "price_dollars_per_node_hour": "17.938015",
          "allocation_schedule_delta": [
            {
              "start_at": 1795430700,
              "end_at": 1795432500,
              "node_count": 1
            }
          ],
          "filled_at": 1795417140
        }
      ]
    }
  },
  "get_orderbook_curve": {
    "query": {
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
      "from": 1795428000,
      "to": 1795435200,
      "length_minutes": 120,
      "node_count": 2
    },
    "response": {
      "object": "orderbook_curve",
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
      "from": 1795428000,
      "to": 1795435200,
      "step_minutes": 60,
      "length_minutes": 120,
      "node_count": 2,
      "requested_at": 1795424400,
      "points": [
        {
          "start_at": 1795428000,
          "end_at": 1795435200,
          "average_price_dollars_per_node_hour": "18.212791",
          "limit_price_dollars_per_node_hour": "18.212791",
          "best_bid_dollars_per_node_hour": "17.835974",
          "best_ask_dollars_per_node_hour": "18.212791",
          "offered_node_count": 7
        },
        {
          "start_at": 1795431600,
          "end_at": 1795438800,
          "average_price_dollars_per_node_hour": "18.132045",
          "limit_price_dollars_per_node_hour": "18.212791",
          "best_bid_dollars_per_node_hour": "17.835974",
          "best_ask_dollars_per_node_hour": "18.051298",
          "offered_node_count": 7
        }
      ]
    }
  },
  "get_orderbook_board": {
    "query": {
      "sku": [
        "sku_Lp0trjs6Y4iRUtcMc9CmO"
      ],
      "hours": 2
    },
    "response": {
      "object": "orderbook_board",
      "from": 1795416420,
      "current_hour_at": 1795423620,
      "to": 1795430820,
      "hours": 2,
      "requested_at": 1795424400,
      "rows": [
        {
          "sku": {
            "object": "sku",
            "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
            "alias": "h100-west",
            "region": {
              "value": "us-west",
              "display_value": "US West"
            },
            "availability_zone": {
              "value": "us-west-1a",
              "display_value": "US West 1a"
            },
            "accelerator": {
              "value": "h100",
              "display_value": "NVIDIA H100"
            },
            "form_factor": {
              "value": "sxm",
              "display_value": "SXM"
            },
            "rdma_type": {
              "value": "infiniband",
              "display_value": "InfiniBand"
            },
            "infiniband_fabric": "west-ib",
            "num_accelerators": {
              "value": 8,
              "display_value": "8"
            },
            "num_vcpus": {
              "value": 192,
              "display_value": "192"
            },
            "memory_bytes": {
              "value": 2199023255552,
              "display_value": "2 TiB"
            },
            "local_storage_bytes": {
              "value": 16492674416640,
              "display_value": "15 TiB"
            },
            "supports_public_ipv4": {
              "value": true,
              "display_value": "Yes"
            }
          },
          "halted": false,
          "best_bid_dollars_per_node_hour": "17.835974",
          "best_ask_dollars_per_node_hour": "18.051298",
          "spread_dollars_per_node_hour": "0.215324",
          "last_price_dollars_per_node_hour": "18.051298",
          "change_bps": null,
          "free_node_count": 9,
          "traded_dollars_per_node_hour": [
            "17.781393",
            "18.034639"
          ],
          "asked_dollars_per_node_hour": [
            "18.051298",
            "18.051298"
          ],
          "offered_node_counts": [
            9,
            7
          ]
        }
      ],
      "has_more": false
    }
  },
  "get_orderbook_heatmap": {
    "query": {
      "sku": [
        "sku_Lp0trjs6Y4iRUtcMc9CmO"
      ],
      "from": 1795424400,
      "to": 1795431600
    },
    "response": {
      "object": "orderbook_heatmap",
      "from": 1795424400,
      "to": 1795431600,
      "step_minutes": 60,
      "requested_at": 1795424400,
      "rows": [
        {
          "sku": {
            "object": "sku",
            "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
            "alias": "h100-west"
          },
          "cells": [
            {
              "start_at": 1795424400,
              "end_at": 1795428000,
              "best_ask_dollars_per_node_hour": "18.051298",
              "offered_node_count": 9,
              "last_price_dollars_per_node_hour": "17.250067"
            },
            {
              "start_at": 1795428000,
              "end_at": 1795431600,
              "best_ask_dollars_per_node_hour": "18.212791",
              "offered_node_count": 7,
              "last_price_dollars_per_node_hour": "18.051298"
            }
          ]
        }
      ],
      "has_more": false
    }
  },
  "list_price_history": {
    "query": {
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "price_bucket",
          "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
          "start_at": 1795384020,
          "end_at": 1795387620,
          "first_price_dollars_per_node_hour": "17.051106",
          "last_price_dollars_per_node_hour": "17.099168",
          "low_price_dollars_per_node_hour": "17.051106",
          "high_price_dollars_per_node_hour": "17.099168",
          "vwap_price_dollars_per_node_hour": "17.060718",
          "node_minutes": 600,
          "total_dollars": "170.607184",
          "fill_count": 2
        },
        {
          "object": "price_bucket",
          "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
          "start_at": 1795387620,
          "end_at": 1795391220,
          "first_price_dollars_per_node_hour": "17.196754",
          "last_price_dollars_per_node_hour": "17.107140",
          "low_price_dollars_per_node_hour": "17.107140",
          "high_price_dollars_per_node_hour": "17.196754",
          "vwap_price_dollars_per_node_hour": "17.166883",
          "node_minutes": 90,
          "total_dollars": "25.750324",
          "fill_count": 2
        }
      ],
      "has_more": false,
      "cursor": "pricc_KpiGShSoQBgCGRjiZGNGKHf6"
    }
  },
  "list_sku_availability": {
    "query": {
      "start_at": 1795428000,
      "end_at": 1795431600
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "sku_availability",
          "sku": {
            "object": "sku",
            "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
            "alias": "h100-west"
          },
          "schedule": [
            {
              "start_at": 1795428000,
              "end_at": 1795431600,
              "node_count": 7
            }
          ]
        },
        {
          "object": "sku_availability",
          "sku": {
            "object": "sku",
            "id": "sku_fOfR5IvUV10aasDDXBb08",
            "alias": "a100-north"
          },
          "schedule": [
            {
              "start_at": 1795428000,
              "end_at": 1795431600,
              "node_count": 9
            }
          ]
        }
      ],
      "has_more": false,
      "cursor": "skavc_zPVaexkw7qVu9wc7iX_PhpRs"
    }
  },
  "get_sku_availability": {
    "params": {
      "id": "sku_Lp0trjs6Y4iRUtcMc9CmO"
    },
    "query": {
      "start_at": 1795428000,
      "end_at": 1795431600
    },
    "response": {
      "object": "sku_availability",
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "schedule": [
        {
          "start_at": 1795428000,
          "end_at": 1795431600,
          "node_count": 7
        }
      ]
    }
  },
  "list_all_audit_entries": {
    "query": {
      "limit": 2,
      "operation": "create_account"
    },
    "response": {
      "object": "list",
      "data": [],
      "has_more": false
    }
  },
  "list_revenue": {
    "query": {
      "from": "2026-11"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "revenue",
          "month": "2026-11",
          "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
          "fees_dollars": "0.000000",
          "volume_dollars": "1419.161196",
          "node_minutes": 4830,
          "fill_count": 27
        },
        {
          "object": "revenue",
          "month": "2026-11",
          "sku": "sku_fOfR5IvUV10aasDDXBb08",
          "fees_dollars": "0.000000",
          "volume_dollars": "582.936176",
          "node_minutes": 4230,
          "fill_count": 26
        }
      ],
      "has_more": false
    }
  },
  "list_platform_usage": {
    "query": {
      "from": 1795305600,
      "to": 1795478400,
      "account": "acme"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "platform_usage",
          "account": "acme",
          "allocated_node_minutes": 5233,
          "used_node_minutes": 597,
          "bought_dollars": "72.205192",
          "sold_dollars": "0.000000",
          "effective_cost_dollars": "72.205192",
          "skus": [
            {
              "sku": {
                "object": "sku",
                "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
                "alias": "h100-west"
              },
              "allocated_node_minutes": 3762,
              "used_node_minutes": 336,
              "bought_dollars": "72.205192",
              "sold_dollars": "0.000000",
              "effective_cost_dollars": "72.205192"
            },
            {
              "sku": {
                "object": "sku",
                "id": "sku_fOfR5IvUV10aasDDXBb08",
                "alias": "a100-north"
              },
              "allocated_node_minutes": 884,
              "used_node_minutes": 211,
              "bought_dollars": "0.000000",
              "sold_dollars": "0.000000",
              "effective_cost_dollars": "0.000000"
            }
          ]
        }
      ],
      "has_more": false,
      "cursor": "usagc_gBBPmmQ7XampyQWfsAzlFXit"
    }
  },
  "list_platform_orders": {
    "query": {
      "account": "acme",
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "order",
          "id": "ordr_bdkhQfHjcept8hfxr-QWl",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "pool": {
            "object": "pool",
            "id": "pool_OalI3K9lXBNqBSJ2h0-Sp",
            "name": "training-extra",
            "resource_path": "svc:pool:acme:default:training-extra"
          },
          "sku": {
            "object": "sku",
            "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
            "alias": "h100-west"
          },
          "side": "buy",
          "state": "cancelled",
          "allow_standing": true,
          "allow_partial": false,
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ],
          "filled_allocation_schedule_delta": [],
          "limit_price_dollars_per_node_hour": "1.500000",
          "filled_average_price_dollars_per_node_hour": null,
          "held_dollars": "0.000000",
          "fills": [],
          "managed_by": null,
          "created_by": {
            "type": "token",
            "id": "tokn_nuocUneLLfXU8YGFZuuAe",
            "name": "admin"
          },
          "created_at": 1795424400,
          "filled_at": null,
          "cancelled_at": 1795424400,
          "cancel_reason": "user",
          "rejected_reason": null,
          "account": "acme"
        },
        {
          "object": "order",
          "id": "ordr_s5VjAJBD3N4eFg6AxUroq",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "pool": {
            "object": "pool",
            "id": "pool_OalI3K9lXBNqBSJ2h0-Sp",
            "name": "training-extra",
            "resource_path": "svc:pool:acme:default:training-extra"
          },
          "sku": {
            "object": "sku",
            "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
            "alias": "h100-west"
          },
          "side": "buy",
          "state": "filled",
          "allow_standing": false,
          "allow_partial": false,
          "allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ],
          "filled_allocation_schedule_delta": [
            {
              "start_at": 1795428000,
              "end_at": 1795435200,
              "node_count": 2
            }
          ],
          "limit_price_dollars_per_node_hour": "18.051298",
          "filled_average_price_dollars_per_node_hour": "18.051298",
          "held_dollars": "0.000000",
          "fills": [
            {
              "object": "fill",
              "id": "fill_SPeRjWNGTXGE4igv1BKqM",
              "filled_at": 1795424400,
              "allocation_schedule_delta": [
                {
                  "start_at": 1795428000,
                  "end_at": 1795435200,
                  "node_count": 2
                }
              ],
              "price_dollars_per_node_hour": "18.051298",
              "total_dollars": "72.205192",
              "fee_dollars": "0.000000",
              "related": false
            }
          ],
          "managed_by": null,
          "created_by": {
            "type": "token",
            "id": "tokn_nuocUneLLfXU8YGFZuuAe",
            "name": "admin"
          },
          "created_at": 1795424400,
          "filled_at": 1795424400,
          "cancelled_at": null,
          "cancel_reason": null,
          "rejected_reason": null,
          "account": "acme"
        }
      ],
      "has_more": false,
      "cursor": "ordrc_DuSk0MyofVdZb17SGayg1Wzm"
    }
  },
  "list_platform_instances": {
    "query": {
      "account": "acme",
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "instance",
          "id": "inst_2mLFkHLMWwvQrvBiZBBw-",
          "resource_path": "svc:instance:acme:research:lab",
          "workspace": {
            "object": "workspace",
            "id": "wksp_K1klzvvWkgX4jrp9tv1Qy",
            "name": "research",
            "resource_path": "svc:workspace:acme:research"
          },
          "name": "lab",
          "state": "running",
          "sku": {
            "object": "sku",
            "id": "sku_fOfR5IvUV10aasDDXBb08",
            "alias": "a100-north"
          },
          "image": {
            "object": "image",
            "id": "image_eyhg0dACeuahvvIUsLvfA",
            "name": "ubuntu-24.04",
            "resource_path": "svc:image:bourse:public:ubuntu-24.04"
          },
          "pool": {
            "object": "pool",
            "id": "pool__V2gFBQtVOGXtyJokZUyG",
            "name": "lab",
            "resource_path": "svc:pool:acme:research:lab"
          },
          "created_at": 1795421700,
          "_preview_updated_at": 1795421700,
          "cloud_init_user_data_used": false,
          "subnet": null,
          "_preview_enable_public_ipv4": false,
          "_preview_infiniband_partition": null,
          "tags": null,
          "priority_level": "normal",
          "hardware": {
            "host": "44e2a6792eb61c63",
            "accelerators": [
              {
                "kind": "a100",
                "pci": "0000:18:00.0"
              },
              {
                "kind": "a100",
                "pci": "0000:19:00.0"
              }
            ],
            "numa": [
              1
            ],
            "verified_at": 1795420740
          },
          "account": "acme"
        },
        {
          "object": "instance",
          "id": "inst_N7OP3TAkVKhueVPcuA7no",
          "resource_path": "svc:instance:acme:default:queued",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "queued",
          "state": "awaiting_allocation",
          "sku": {
            "object": "sku",
            "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
            "alias": "h100-west"
          },
          "image": {
            "object": "image",
            "id": "image_1sMZIRopQrTTfE1jK-q7g",
            "name": "trainer-2",
            "resource_path": "svc:image:acme:default:trainer-2"
          },
          "pool": {
            "object": "pool",
            "id": "pool_zZHeuUYHULrLSDL6qbTVT",
            "name": "training",
            "resource_path": "svc:pool:acme:default:training"
          },
          "created_at": 1795421700,
          "_preview_updated_at": 1795421700,
          "cloud_init_user_data_used": true,
          "subnet": null,
          "_preview_enable_public_ipv4": false,
          "_preview_infiniband_partition": null,
          "tags": null,
          "priority_level": "yield",
          "account": "acme"
        }
      ],
      "has_more": true,
      "cursor": "instc_GW5z1BJcXH-eDWxIGQ0k7fv2"
    }
  },
  "list_platform_pools": {
    "query": {
      "account": "acme",
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "pool",
          "id": "pool_R32aMJB4h3JA6SRDVJOAh",
          "resource_path": "svc:pool:acme:default:spare-nodes",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "spare-nodes",
          "kind": "market",
          "allocation_schedule": {
            "total": [
              {
                "start_at": 1795428000,
                "end_at": 1795431600,
                "node_count": 1
              }
            ],
            "by_sku": {
              "sku_Lp0trjs6Y4iRUtcMc9CmO": [
                {
                  "start_at": 1795428000,
                  "end_at": 1795431600,
                  "node_count": 1
                }
              ]
            }
          },
          "procurements": [],
          "deployments": [],
          "tags": null,
          "created_at": 1795424400,
          "account": "acme"
        },
        {
          "object": "pool",
          "id": "pool_OalI3K9lXBNqBSJ2h0-Sp",
          "resource_path": "svc:pool:acme:default:training-extra",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "training-extra",
          "kind": "market",
          "allocation_schedule": {
            "total": [
              {
                "start_at": 1795428000,
                "end_at": 1795431600,
                "node_count": 1
              },
              {
                "start_at": 1795431600,
                "end_at": 1795435200,
                "node_count": 2
              }
            ],
            "by_sku": {
              "sku_Lp0trjs6Y4iRUtcMc9CmO": [
                {
                  "start_at": 1795428000,
                  "end_at": 1795431600,
                  "node_count": 1
                },
                {
                  "start_at": 1795431600,
                  "end_at": 1795435200,
                  "node_count": 2
                }
              ]
            }
          },
          "procurements": [],
          "deployments": [],
          "tags": {
            "team": "training",
            "stage": "test"
          },
          "created_at": 1795424400,
          "account": "acme"
        }
      ],
      "has_more": true,
      "cursor": "poolc__iVtGDgEPDLoHup9ir24m46y"
    }
  },
  "list_platform_skus": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "sku",
          "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
          "alias": "h100-west",
          "region": {
            "value": "us-west",
            "display_value": "US West"
          },
          "availability_zone": {
            "value": "us-west-1a",
            "display_value": "US West 1a"
          },
          "accelerator": {
            "value": "h100",
            "display_value": "NVIDIA H100"
          },
          "form_factor": {
            "value": "sxm",
            "display_value": "SXM"
          },
          "rdma_type": {
            "value": "infiniband",
            "display_value": "InfiniBand"
          },
          "infiniband_fabric": "west-ib",
          "num_accelerators": {
            "value": 8,
            "display_value": "8"
          },
          "num_vcpus": {
            "value": 192,
            "display_value": "192"
          },
          "memory_bytes": {
            "value": 2199023255552,
            "display_value": "2 TiB"
          },
          "local_storage_bytes": {
            "value": 16492674416640,
            "display_value": "15 TiB"
          },
          "supports_public_ipv4": {
            "value": true,
            "display_value": "Yes"
          },
          "price_step_dollars_per_node_hour": "0.000001",
          "benchmark_figures": [],
          "listed": true,
          "flat_fee_dollars_per_node_hour": "0.000000",
          "fee_bps": 0,
          "public_prices_exclude_related": false,
          "created_at": 1795381140,
          "updated_at": 1795381140
        },
        {
          "object": "sku",
          "id": "sku_fOfR5IvUV10aasDDXBb08",
          "alias": "a100-north",
          "region": {
            "value": "eu-north",
            "display_value": "EU North"
          },
          "availability_zone": {
            "value": "eu-north-1b",
            "display_value": "EU North 1b"
          },
          "accelerator": {
            "value": "a100",
            "display_value": "NVIDIA A100"
          },
          "form_factor": {
            "value": "pcie",
            "display_value": "PCIe"
          },
          "rdma_type": {
            "value": "roce",
            "display_value": "RoCE"
          },
          "num_accelerators": {
            "value": 8,
            "display_value": "8"
          },
          "num_vcpus": {
            "value": 192,
            "display_value": "192"
          },
          "memory_bytes": {
            "value": 2199023255552,
            "display_value": "2 TiB"
          },
          "local_storage_bytes": {
            "value": 16492674416640,
            "display_value": "15 TiB"
          },
          "supports_public_ipv4": {
            "value": true,
            "display_value": "Yes"
          },
          "price_step_dollars_per_node_hour": "0.000001",
          "benchmark_figures": [],
          "listed": true,
          "flat_fee_dollars_per_node_hour": "0.000000",
          "fee_bps": 0,
          "public_prices_exclude_related": false,
          "created_at": 1795381140,
          "updated_at": 1795381140
        }
      ],
      "has_more": true,
      "cursor": "skuc_Z_2OnAgjunGDSnS9GzyJjNTv"
    }
  },
  "list_usage": {
    "query": {
      "from": 1795305600,
      "to": 1795478400
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "usage",
          "period_start": 1795392000,
          "period_end": 1795478400,
          "group": {},
          "allocated_node_minutes": 5233,
          "used_node_minutes": 597,
          "bought_dollars": "72.205192",
          "sold_dollars": "0.000000",
          "effective_cost_dollars": "72.205192"
        }
      ],
      "has_more": false,
      "cursor": "usagc_LKbYLq8N5QGt-owp4_76y8H-"
    }
  },
  "get_statement": {
    "params": {
      "month": "2026-11"
    },
    "response": {
      "object": "statement",
      "month": "2026-11",
      "period_start": 1793491200,
      "period_end": 1796083200,
      "state": "open",
      "opening_balance_dollars": "0.000000",
      "closing_balance_dollars": "9927.794808",
      "purchases_dollars": "72.205192",
      "sales_dollars": "0.000000",
      "fees_dollars": "0.000000",
      "credits_dollars": "10000.000000",
      "lines": [
        {
          "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
          "workspace": "wksp_BjQWtZy4EbXGX6Sywj5i2",
          "purchases_dollars": "72.205192",
          "sales_dollars": "0.000000",
          "fees_dollars": "0.000000",
          "credits_dollars": "0.000000"
        },
        {
          "sku": null,
          "workspace": null,
          "purchases_dollars": "0.000000",
          "sales_dollars": "0.000000",
          "fees_dollars": "0.000000",
          "credits_dollars": "10000.000000"
        }
      ]
    }
  },
  "create_budget": {
    "body": {
      "name": "research",
      "workspace": "svc:workspace:acme:research",
      "period": "month",
      "amount_dollars": "5000.00",
      "thresholds_percent": [
        50,
        80
      ],
      "hard_stop": true
    },
    "response": {
      "object": "budget",
      "id": "bdgt_MKo9Dqc7Eq6nKT-EMw7yZ",
      "name": "research",
      "workspace": "wksp_K1klzvvWkgX4jrp9tv1Qy",
      "period": "month",
      "amount_dollars": "5000.000000",
      "thresholds_percent": [
        50,
        80
      ],
      "threshold_basis": "actual",
      "reached_percent": [],
      "hard_stop": true,
      "spent_dollars": "0.000000",
      "held_dollars": "0.000000",
      "forecast_dollars": "0.000000",
      "period_start": 1793491200,
      "period_end": 1796083200,
      "created_at": 1795424400,
      "updated_at": 1795424400
    }
  },
  "list_budgets": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "budget",
          "id": "bdgt_MKo9Dqc7Eq6nKT-EMw7yZ",
          "name": "research",
          "workspace": "wksp_K1klzvvWkgX4jrp9tv1Qy",
          "period": "month",
          "amount_dollars": "5000.000000",
          "thresholds_percent": [
            50,
            80
          ],
          "threshold_basis": "actual",
          "reached_percent": [],
          "hard_stop": true,
          "spent_dollars": "0.000000",
          "held_dollars": "0.000000",
          "forecast_dollars": "0.000000",
          "period_start": 1793491200,
          "period_end": 1796083200,
          "created_at": 1795424400,
          "updated_at": 1795424400
        }
      ],
      "has_more": false,
      "cursor": "bdgtc_85ElITFrc5TpLcVD0qcWos94"
    }
  },
  "get_budget": {
    "params": {
      "id": "bdgt_MKo9Dqc7Eq6nKT-EMw7yZ"
    },
    "response": {
      "object": "budget",
      "id": "bdgt_MKo9Dqc7Eq6nKT-EMw7yZ",
      "name": "research",
      "workspace": "wksp_K1klzvvWkgX4jrp9tv1Qy",
      "period": "month",
      "amount_dollars": "5000.000000",
      "thresholds_percent": [
        50,
        80
      ],
      "threshold_basis": "actual",
      "reached_percent": [],
      "hard_stop": true,
      "spent_dollars": "0.000000",
      "held_dollars": "0.000000",
      "forecast_dollars": "0.000000",
      "period_start": 1793491200,
      "period_end": 1796083200,
      "created_at": 1795424400,
      "updated_at": 1795424400
    }
  },
  "update_budget": {
    "params": {
      "id": "bdgt_MKo9Dqc7Eq6nKT-EMw7yZ"
    },
    "body": {
      "amount_dollars": "7500.00"
    },
    "response": {
      "object": "budget",
      "id": "bdgt_MKo9Dqc7Eq6nKT-EMw7yZ",
      "name": "research",
      "workspace": "wksp_K1klzvvWkgX4jrp9tv1Qy",
      "period": "month",
      "amount_dollars": "7500.000000",
      "thresholds_percent": [
        50,
        80
      ],
      "threshold_basis": "actual",
      "reached_percent": [],
      "hard_stop": true,
      "spent_dollars": "0.000000",
      "held_dollars": "0.000000",
      "forecast_dollars": "0.000000",
      "period_start": 1793491200,
      "period_end": 1796083200,
      "created_at": 1795424400,
      "updated_at": 1795424400
    }
  },
  "delete_budget": {
    "params": {
      "id": "bdgt_MKo9Dqc7Eq6nKT-EMw7yZ"
    }
  },
  "create_account_transaction": {
    "params": {
      "account": "acme"
    },
    "body": {
      "type": "manual_payment",
      "amount_dollars": "2500.00",
      "description": "Invoice 2026-118"
    },
    "response": {
      "object": "transaction",
      "id": "txn_ljDFXFJoucNqg_A_Zesag",
      "type": "manual_payment",
      "amount_dollars": "2500.000000",
      "balance_after_dollars": "12427.794808",
      "fee_dollars": "0.000000",
      "order": null,
      "fill": null,
      "workspace": null,
      "description": "Invoice 2026-118",
      "created_at": 1795424400
    }
  },
  "list_account_transactions": {
    "params": {
      "account": "acme"
    },
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "transaction",
          "id": "txn_ljDFXFJoucNqg_A_Zesag",
          "type": "manual_payment",
          "amount_dollars": "2500.000000",
          "balance_after_dollars": "12427.794808",
          "fee_dollars": "0.000000",
          "order": null,
          "fill": null,
          "workspace": null,
          "description": "Invoice 2026-118",
          "created_at": 1795424400
        },
        {
          "object": "transaction",
          "id": "txn_DsfekebE4EjTQ097z9jCT",
          "type": "buy_fill",
          "amount_dollars": "-72.205192",
          "balance_after_dollars": "9927.794808",
          "fee_dollars": "0.000000",
          "order": "ordr_s5VjAJBD3N4eFg6AxUroq",
          "fill": "fill_SPeRjWNGTXGE4igv1BKqM",
          "workspace": "wksp_BjQWtZy4EbXGX6Sywj5i2",
          "description": null,
          "created_at": 1795424400
        }
      ],
      "has_more": true,
      "cursor": "txc_VXpCzsPik7fmzdsV7QYue151"
    }
  },
  "put_credit_limit": {
    "params": {
      "account": "acme"
    },
    "body": {
      "credit_limit_dollars": "1000.00"
    },
    "response": {
      "object": "balance",
      "available_dollars": "13427.794808",
      "total_dollars": "12427.794808",
      "held_dollars": "0.000000",
      "credit_limit_dollars": "1000.000000",
      "low_at_dollars": "50.000000",
      "is_low": false,
      "updated_at": 1795424400
    }
  },
  "create_pending_credit": {
    "params": {
      "account": "acme"
    },
    "body": {
      "type": "credit_grant",
      "amount_dollars": "250000.00",
      "description": "Framework contract 2026"
    },
    "response": {
      "object": "pending_credit",
      "id": "pcrd_8ndS1sk_yZpSJA0yPlgZu",
      "account": "acme",
      "state": "pending",
      "type": "credit_grant",
      "amount_dollars": "250000.000000",
      "limit_before_dollars": null,
      "description": "Framework contract 2026",
      "requested_by": {
        "type": "token",
        "id": "tokn_cZmTpX9IU3gjqfGIYqmcf",
        "name": "eager-thicket-19BqUe"
      },
      "requested_at": 1795424400,
      "expires_at": 1796029200,
      "decided_by": null,
      "decided_at": null,
      "transaction": null
    }
  },
  "list_pending_credits": {
    "query": {
      "state": "pending"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "pending_credit",
          "id": "pcrd_8ndS1sk_yZpSJA0yPlgZu",
          "account": "acme",
          "state": "pending",
          "type": "credit_grant",
          "amount_dollars": "250000.000000",
          "limit_before_dollars": null,
          "description": "Framework contract 2026",
          "requested_by": {
            "type": "token",
            "id": "tokn_cZmTpX9IU3gjqfGIYqmcf",
            "name": "eager-thicket-19BqUe"
          },
          "requested_at": 1795424400,
          "expires_at": 1796029200,
          "decided_by": null,
          "decided_at": null,
          "transaction": null
        }
      ],
      "has_more": false,
      "cursor": "pcrdc_2BAxgQvhPYPoT-VM2i0jlIp0"
    }
  },
  "approve_pending_credit": {
    "params": {
      "id": "pcrd_8ndS1sk_yZpSJA0yPlgZu"
    },
    "response": {
      "object": "pending_credit",
      "id": "pcrd_8ndS1sk_yZpSJA0yPlgZu",
      "account": "acme",
      "state": "approved",
      "type": "credit_grant",
      "amount_dollars": "250000.000000",
      "limit_before_dollars": null,
      "description": "Framework contract 2026",
      "requested_by": {
        "type": "token",
        "id": "tokn_cZmTpX9IU3gjqfGIYqmcf",
        "name": "eager-thicket-19BqUe"
      },
      "requested_at": 1795424400,
      "expires_at": 1796029200,
      "decided_by": {
        "type": "token",
        "id": "tokn_UXzhTjPFtA4pAXvqNB_uc",
        "name": "candid-harbor-tytQwE"
      },
      "decided_at": 1795424400,
      "transaction": "txn_48cU49iL7VDLlxhkEPeF4"
    }
  },
  "get_pending_credit": {
    "params": {
      "id": "pcrd_8ndS1sk_yZpSJA0yPlgZu"
    },
    "response": {
      "object": "pending_credit",
      "id": "pcrd_8ndS1sk_yZpSJA0yPlgZu",
      "account": "acme",
      "state": "approved",
      "type": "credit_grant",
      "amount_dollars": "250000.000000",
      "limit_before_dollars": null,
      "description": "Framework contract 2026",
      "requested_by": {
        "type": "token",
        "id": "tokn_cZmTpX9IU3gjqfGIYqmcf",
        "name": "eager-thicket-19BqUe"
      },
      "requested_at": 1795424400,
      "expires_at": 1796029200,
      "decided_by": {
        "type": "token",
        "id": "tokn_UXzhTjPFtA4pAXvqNB_uc",
        "name": "candid-harbor-tytQwE"
      },
      "decided_at": 1795424400,
      "transaction": "txn_48cU49iL7VDLlxhkEPeF4"
    }
  },
  "refuse_pending_credit": {
    "params": {
      "id": "pcrd_aQKHxqFDhvOERFX0qvR9x"
    },
    "response": {
      "object": "pending_credit",
      "id": "pcrd_aQKHxqFDhvOERFX0qvR9x",
      "account": "acme",
      "state": "refused",
      "type": "credit_grant",
      "amount_dollars": "250000.000000",
      "limit_before_dollars": null,
      "description": "Framework contract 2026",
      "requested_by": {
        "type": "token",
        "id": "tokn_cZmTpX9IU3gjqfGIYqmcf",
        "name": "eager-thicket-19BqUe"
      },
      "requested_at": 1795424400,
      "expires_at": 1796029200,
      "decided_by": {
        "type": "token",
        "id": "tokn_cZmTpX9IU3gjqfGIYqmcf",
        "name": "eager-thicket-19BqUe"
      },
      "decided_at": 1795424400,
      "transaction": null
    }
  },
  "create_image": {
    "body": {
      "name": "trainer-3"
    },
    "response": {
      "object": "image",
      "id": "image_XXleGVyCM68PFB2Ted9zi",
      "resource_path": "svc:image:acme:default:trainer-3",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "trainer-3",
      "is_public": false,
      "state": "started",
      "failure_reason": null,
      "sha256": null,
      "size_bytes": null,
      "format": null,
      "virtual_size_bytes": null,
      "deprecated_at": null,
      "deprecation_message": null,
      "revoked_at": null,
      "created_at": 1795424400
    }
  },
  "create_image_part": {
    "params": {
      "id": "svc:image:acme:default:trainer-3"
    },
    "body": {
      "part_id": 1
    },
    "response": {
      "object": "image_part_url",
      "part_id": 1,
      "url": "https://bourse.example/image_data/image_XXleGVyCM68PFB2Ted9zi/parts/1?expires_at=1795428000&holder=tokn_nuocUneLLfXU8YGFZuuAe&revoked_at=0&key_id=1&signature=da56bfc91740c6b030da149695754eb55481f760ea1142a36b2a2abe16d35f48",
      "expires_at": 1795428000
    }
  },
  "list_image_parts": {
    "params": {
      "id": "svc:image:acme:default:trainer-3"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "image_part",
          "part_id": 1,
          "size_bytes": 1610612736,
          "etag": "\"2a1e6206566f43e934c315b4ffbd4a26\"",
          "uploaded_at": 1795424400
        }
      ],
      "has_more": false
    }
  },
  "complete_image": {
    "params": {
      "id": "svc:image:acme:default:trainer-3"
    },
    "body": {
      "sha256": "bc4b6668e65126bdbcca107e85492e83aecce79d137e619775773e4401984fb6"
    },
    "response": {
      "object": "image",
      "id": "image_XXleGVyCM68PFB2Ted9zi",
      "resource_path": "svc:image:acme:default:trainer-3",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "trainer-3",
      "is_public": false,
      "state": "completed",
      "failure_reason": null,
      "sha256": "bc4b6668e65126bdbcca107e85492e83aecce79d137e619775773e4401984fb6",
      "size_bytes": 1610612736,
      "format": "raw",
      "virtual_size_bytes": 4096,
      "deprecated_at": null,
      "deprecation_message": null,
      "revoked_at": null,
      "created_at": 1795424400
    }
  },
  "list_images": {
    "query": {
      "limit": 2,
      "state": "completed"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "image",
          "id": "image_XXleGVyCM68PFB2Ted9zi",
          "resource_path": "svc:image:acme:default:trainer-3",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "trainer-3",
          "is_public": false,
          "state": "completed",
          "failure_reason": null,
          "sha256": "bc4b6668e65126bdbcca107e85492e83aecce79d137e619775773e4401984fb6",
          "size_bytes": 1610612736,
          "format": "raw",
          "virtual_size_bytes": 4096,
          "deprecated_at": null,
          "deprecation_message": null,
          "revoked_at": null,
          "created_at": 1795424400
        },
        {
          "object": "image",
          "id": "image_9rWdBpMeWBPAh68P3iMz0",
          "resource_path": "svc:image:acme:default:trainer-1",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "trainer-1",
          "is_public": false,
          "state": "completed",
          "failure_reason": null,
          "sha256": "bbcda56edb38527025c1a7aa7be519951c644057fdd02de8f9638e2fa4674a1a",
          "size_bytes": 1610612736,
          "format": "qcow2",
          "virtual_size_bytes": 21474836480,
          "deprecated_at": 1795420740,
          "deprecation_message": "Use trainer-2.",
          "revoked_at": null,
          "created_at": 1795420740
        }
      ],
      "has_more": true,
      "cursor": "imagec_Ih5MKVx8vpp_YAku4PN3IDJi"
    }
  },
  "get_image": {
    "params": {
      "id": "image_1sMZIRopQrTTfE1jK-q7g"
    },
    "response": {
      "object": "image",
      "id": "image_1sMZIRopQrTTfE1jK-q7g",
      "resource_path": "svc:image:acme:default:trainer-2",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "trainer-2",
      "is_public": false,
      "state": "completed",
      "failure_reason": null,
      "sha256": "808c03986b95fea47c284d7fa43c0a936cfba7a4e427453115dbb8dd9f08e0ce",
      "size_bytes": 1610612736,
      "format": "qcow2",
      "virtual_size_bytes": 21474836480,
      "deprecated_at": null,
      "deprecation_message": null,
      "revoked_at": null,
      "created_at": 1795420740
    }
  },
  "get_image_download": {
    "params": {
      "id": "svc:image:acme:default:trainer-3"
    },
    "response": {
      "object": "image_download",
      "url": "https://bourse.example/image_data/image_XXleGVyCM68PFB2Ted9zi?expires_at=1795428060&holder=tokn_nuocUneLLfXU8YGFZuuAe&revoked_at=0&key_id=1&signature=2e6a639e5272eef9efe7ae9388c663b32363a2c267555a59114ff2a47527086a",
      "expires_at": 1795428060,
      "sha256": "bc4b6668e65126bdbcca107e85492e83aecce79d137e619775773e4401984fb6",
      "size_bytes": 1610612736
    }
  },
  "revoke_image": {
    "params": {
      "id": "svc:image:acme:default:trainer-3"
    },
    "response": {
      "object": "image",
      "id": "image_XXleGVyCM68PFB2Ted9zi",
      "resource_path": "svc:image:acme:default:trainer-3",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "trainer-3",
      "is_public": false,
      "state": "revoked",
      "failure_reason": null,
      "sha256": "bc4b6668e65126bdbcca107e85492e83aecce79d137e619775773e4401984fb6",
      "size_bytes": 1610612736,
      "format": "raw",
      "virtual_size_bytes": 4096,
      "deprecated_at": null,
      "deprecation_message": null,
      "revoked_at": 1795424460,
      "created_at": 1795424400
    }
  },
  "reinstate_image": {
    "params": {
      "id": "svc:image:acme:default:trainer-3"
    },
    "response": {
      "object": "image",
      "id": "image_XXleGVyCM68PFB2Ted9zi",
      "resource_path": "svc:image:acme:default:trainer-3",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "trainer-3",
      "is_public": false,
      "state": "completed",
      "failure_reason": null,
      "sha256": "bc4b6668e65126bdbcca107e85492e83aecce79d137e619775773e4401984fb6",
      "size_bytes": 1610612736,
      "format": "raw",
      "virtual_size_bytes": 4096,
      "deprecated_at": null,
      "deprecation_message": null,
      "revoked_at": null,
      "created_at": 1795424400
    }
  },
  "deprecate_image": {
    "params": {
      "id": "svc:image:acme:default:trainer-3"
    },
    "body": {
      "message": "Use trainer-4: it has the new driver."
    },
    "response": {
      "object": "image",
      "id": "image_XXleGVyCM68PFB2Ted9zi",
      "resource_path": "svc:image:acme:default:trainer-3",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "trainer-3",
      "is_public": false,
      "state": "completed",
      "failure_reason": null,
      "sha256": "bc4b6668e65126bdbcca107e85492e83aecce79d137e619775773e4401984fb6",
      "size_bytes": 1610612736,
      "format": "raw",
      "virtual_size_bytes": 4096,
      "deprecated_at": 1795424460,
      "deprecation_message": "Use trainer-4: it has the new driver.",
      "revoked_at": null,
      "created_at": 1795424400
    }
  },
  "delete_image": {
    "params": {
      "id": "svc:image:acme:default:trainer-3"
    }
  },
  "create_firewall": {
    "body": {
      "name": "gateway",
      "rules": [
        {
          "protocol": "tcp",
          "port_from": 443,
          "source_cidr": "0.0.0.0/0",
          "description": "HTTPS"
        },
        {
          "protocol": "tcp",
          "port_from": 22,
          "source_cidr": "203.0.113.0/24",
          "description": "SSH from the office"
        }
      ],
      "tags": {
        "tier": "front"
      }
    },
    "response": {
      "object": "firewall",
      "id": "frwl_7Tc7fDQ-tWSwfy4TI68IO",
      "resource_path": "svc:firewall:acme:default:gateway",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "gateway",
      "is_default": false,
      "rules": [
        {
          "protocol": "tcp",
          "port_from": 443,
          "port_to": 443,
          "source_cidr": "0.0.0.0/0",
          "description": "HTTPS"
        },
        {
          "protocol": "tcp",
          "port_from": 22,
          "port_to": 22,
          "source_cidr": "203.0.113.0/24",
          "description": "SSH from the office"
        }
      ],
      "tags": {
        "tier": "front"
      },
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "list_firewalls": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "firewall",
          "id": "frwl_7Tc7fDQ-tWSwfy4TI68IO",
          "resource_path": "svc:firewall:acme:default:gateway",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "gateway",
          "is_default": false,
          "rules": [
            {
              "protocol": "tcp",
              "port_from": 443,
              "port_to": 443,
              "source_cidr": "0.0.0.0/0",
              "description": "HTTPS"
            },
            {
              "protocol": "tcp",
              "port_from": 22,
              "port_to": 22,
              "source_cidr": "203.0.113.0/24",
              "description": "SSH from the office"
            }
          ],
          "tags": {
            "tier": "front"
          },
          "created_at": 1795424460,
          "updated_at": 1795424460
        },
        {
          "object": "firewall",
          "id": "frwl_H6C9X4KQMoEqlF8T25HRL",
          "resource_path": "svc:firewall:acme:default:spare",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "spare",
          "is_default": false,
          "rules": [
            {
              "protocol": "tcp",
              "port_from": 22,
              "port_to": 22,
              "source_cidr": "0.0.0.0/0"
            }
          ],
          "tags": null,
          "created_at": 1795420740,
          "updated_at": 1795420740
        }
      ],
      "has_more": true,
      "cursor": "frwlc_fKz1T6Y7vfwFhE-jTnZiKYmp"
    }
  },
  "get_firewall": {
    "params": {
      "id": "frwl_8PLI8FB0XvZDgQA7_QH3V"
    },
    "response": {
      "object": "firewall",
      "id": "frwl_8PLI8FB0XvZDgQA7_QH3V",
      "resource_path": "svc:firewall:acme:default:web",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "web",
      "is_default": false,
      "rules": [
        {
          "protocol": "tcp",
          "port_from": 22,
          "port_to": 22,
          "source_cidr": "0.0.0.0/0"
        },
        {
          "protocol": "tcp",
          "port_from": 80,
          "port_to": 80,
          "source_cidr": "0.0.0.0/0"
        }
      ],
      "tags": {
        "tier": "front"
      },
      "created_at": 1795420740,
      "updated_at": 1795420740
    }
  },
  "update_firewall": {
    "params": {
      "id": "svc:firewall:acme:default:gateway"
    },
    "body": {
      "name": "entry"
    },
    "response": {
      "object": "firewall",
      "id": "frwl_7Tc7fDQ-tWSwfy4TI68IO",
      "resource_path": "svc:firewall:acme:default:entry",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "entry",
      "is_default": false,
      "rules": [
        {
          "protocol": "tcp",
          "port_from": 443,
          "port_to": 443,
          "source_cidr": "0.0.0.0/0",
          "description": "HTTPS"
        },
        {
          "protocol": "tcp",
          "port_from": 22,
          "port_to": 22,
          "source_cidr": "203.0.113.0/24",
          "description": "SSH from the office"
        }
      ],
      "tags": {
        "tier": "front"
      },
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "replace_firewall_rules": {
    "params": {
      "id": "svc:firewall:acme:default:entry"
    },
    "body": {
      "rules": [
        {
          "protocol": "tcp",
          "port_from": 443,
          "source_cidr": "0.0.0.0/0",
          "description": "HTTPS"
        }
      ]
    },
    "response": {
      "object": "firewall",
      "id": "frwl_7Tc7fDQ-tWSwfy4TI68IO",
      "resource_path": "svc:firewall:acme:default:entry",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "entry",
      "is_default": false,
      "rules": [
        {
          "protocol": "tcp",
          "port_from": 443,
          "port_to": 443,
          "source_cidr": "0.0.0.0/0",
          "description": "HTTPS"
        }
      ],
      "tags": {
        "tier": "front"
      },
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "delete_firewall": {
    "params": {
      "id": "svc:firewall:acme:default:entry"
    }
  },
  "create_subnet": {
    "body": {
      "name": "storage",
      "region": "us-west",
      "cidr": "10.40.0.0/20"
    },
    "response": {
      "object": "subnet",
      "id": "snet_d7fnzXKBKAsRe4uxWuF0g",
      "resource_path": "svc:subnet:acme:default:storage",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "storage",
      "region": "us-west",
      "cidr": "10.40.0.0/20",
      "available_addresses": 4091,
      "tags": null,
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "list_subnets": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "subnet",
          "id": "snet_d7fnzXKBKAsRe4uxWuF0g",
          "resource_path": "svc:subnet:acme:default:storage",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "storage",
          "region": "us-west",
          "cidr": "10.40.0.0/20",
          "available_addresses": 4091,
          "tags": null,
          "created_at": 1795424460,
          "updated_at": 1795424460
        },
        {
          "object": "subnet",
          "id": "snet_TnOPT7ZrHQb4XLSL2IxIr",
          "resource_path": "svc:subnet:acme:default:training",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "training",
          "region": "us-west",
          "cidr": "10.64.0.0/20",
          "available_addresses": 4087,
          "tags": null,
          "created_at": 1795420860,
          "updated_at": 1795420860
        }
      ],
      "has_more": false,
      "cursor": "snetc_Bav5LTGN4JXbqQSTxX7o0FOS"
    }
  },
  "get_subnet": {
    "params": {
      "id": "snet_TnOPT7ZrHQb4XLSL2IxIr"
    },
    "response": {
      "object": "subnet",
      "id": "snet_TnOPT7ZrHQb4XLSL2IxIr",
      "resource_path": "svc:subnet:acme:default:training",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "training",
      "region": "us-west",
      "cidr": "10.64.0.0/20",
      "available_addresses": 4087,
      "tags": null,
      "created_at": 1795420860,
      "updated_at": 1795420860
    }
  },
  "update_subnet": {
    "params": {
      "id": "svc:subnet:acme:default:storage"
    },
    "body": {
      "name": "cache"
    },
    "response": {
      "object": "subnet",
      "id": "snet_d7fnzXKBKAsRe4uxWuF0g",
      "resource_path": "svc:subnet:acme:default:cache",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "cache",
      "region": "us-west",
      "cidr": "10.40.0.0/20",
      "available_addresses": 4091,
      "tags": null,
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "delete_subnet": {
    "params": {
      "id": "svc:subnet:acme:default:cache"
    }
  },
  "create_infiniband_partition": {
    "body": {
      "name": "sweeps",
      "infiniband_fabric": "west-ib"
    },
    "response": {
      "object": "infiniband_partition",
      "id": "ibpart_PlohOdUvIr7HD6lJzXHCV",
      "resource_path": "svc:infiniband_partition:acme:default:sweeps",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "sweeps",
      "infiniband_fabric": "west-ib",
      "tags": null,
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "list_infiniband_partitions": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "infiniband_partition",
          "id": "ibpart_PlohOdUvIr7HD6lJzXHCV",
          "resource_path": "svc:infiniband_partition:acme:default:sweeps",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "sweeps",
          "infiniband_fabric": "west-ib",
          "tags": null,
          "created_at": 1795424460,
          "updated_at": 1795424460
        },
        {
          "object": "infiniband_partition",
          "id": "ibpart_sjr-vxIFG0gUsv-nS3KxA",
          "resource_path": "svc:infiniband_partition:acme:default:training",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "training",
          "infiniband_fabric": "west-ib",
          "tags": null,
          "created_at": 1795420860,
          "updated_at": 1795420860
        }
      ],
      "has_more": false,
      "cursor": "ibpartc_3l6nDnw6uprSTIT4Upg89r7S"
    }
  },
  "get_infiniband_partition": {
    "params": {
      "id": "ibpart_sjr-vxIFG0gUsv-nS3KxA"
    },
    "response": {
      "object": "infiniband_partition",
      "id": "ibpart_sjr-vxIFG0gUsv-nS3KxA",
      "resource_path": "svc:infiniband_partition:acme:default:training",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "training",
      "infiniband_fabric": "west-ib",
      "tags": null,
      "created_at": 1795420860,
      "updated_at": 1795420860
    }
  },
  "update_infiniband_partition": {
    "params": {
      "id": "svc:infiniband_partition:acme:default:sweeps"
    },
    "body": {
      "tags": {
        "team": "training"
      }
    },
    "response": {
      "object": "infiniband_partition",
      "id": "ibpart_PlohOdUvIr7HD6lJzXHCV",
      "resource_path": "svc:infiniband_partition:acme:default:sweeps",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "sweeps",
      "infiniband_fabric": "west-ib",
      "tags": {
        "team": "training"
      },
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "delete_infiniband_partition": {
    "params": {
      "id": "svc:infiniband_partition:acme:default:sweeps"
    }
  },
  "create_instance_template": {
    "body": {
      "name": "evaluator",
      "image": "svc:image:acme:default:trainer-2",
      "cloud_init_user_data": "I2Nsb3VkLWNvbmZpZwpwYWNrYWdlczogW2h0b3BdCg==",
      "priority_level": "normal",
      "tags": {
        "team": "training"
      }
    },
    "response": {
      "object": "instance_template",
      "id": "itmpl_8b7KywUuBZ0q6Emv5ACXO",
      "resource_path": "svc:instance_template:acme:default:evaluator",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "evaluator",
      "image": {
        "object": "image",
        "id": "image_1sMZIRopQrTTfE1jK-q7g",
        "name": "trainer-2",
        "resource_path": "svc:image:acme:default:trainer-2"
      },
      "cloud_init_user_data_used": true,
      "tags": {
        "team": "training"
      },
      "priority_level": "normal",
      "_preview_enable_public_ipv4": false,
      "_preview_firewall": null,
      "subnet": null,
      "_preview_infiniband_partition": null,
      "created_at": 1795424460
    }
  },
  "list_instance_templates": {
    "query": {
      "limit": 1
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "instance_template",
          "id": "itmpl_8b7KywUuBZ0q6Emv5ACXO",
          "resource_path": "svc:instance_template:acme:default:evaluator",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "evaluator",
          "image": {
            "object": "image",
            "id": "image_1sMZIRopQrTTfE1jK-q7g",
            "name": "trainer-2",
            "resource_path": "svc:image:acme:default:trainer-2"
          },
          "cloud_init_user_data_used": true,
          "tags": {
            "team": "training"
          },
          "priority_level": "normal",
          "_preview_enable_public_ipv4": false,
          "_preview_firewall": null,
          "subnet": null,
          "_preview_infiniband_partition": null,
          "created_at": 1795424460
        }
      ],
      "has_more": true,
      "cursor": "itmplc_13r3fcjHIvVRZp-vfzSEUyCx"
    }
  },
  "get_instance_template": {
    "params": {
      "id": "itmpl_fXmcZ0Y153U60o3igVpVD"
    },
    "response": {
      "object": "instance_template",
      "id": "itmpl_fXmcZ0Y153U60o3igVpVD",
      "resource_path": "svc:instance_template:acme:default:trainer",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "trainer",
      "image": {
        "object": "image",
        "id": "image_1sMZIRopQrTTfE1jK-q7g",
        "name": "trainer-2",
        "resource_path": "svc:image:acme:default:trainer-2"
      },
      "cloud_init_user_data_used": true,
      "tags": {
        "team": "training"
      },
      "priority_level": "normal",
      "_preview_enable_public_ipv4": false,
      "_preview_firewall": null,
      "subnet": "snet_TnOPT7ZrHQb4XLSL2IxIr",
      "_preview_infiniband_partition": "ibpart_sjr-vxIFG0gUsv-nS3KxA",
      "created_at": 1795420860
    }
  },
  "get_instance_template_cloud_init": {
    "params": {
      "id": "itmpl_fXmcZ0Y153U60o3igVpVD"
    },
    "response": {
      "object": "cloud_init_user_data",
      "cloud_init_user_data": "IyEvYmluL3NoCmVjaG8gIkhlbGxvIGZyb20gQm91cnNlLiIgPiAvZXRjL21vdGQK"
    }
  },
  "delete_instance_template": {
    "params": {
      "id": "svc:instance_template:acme:default:evaluator"
    }
  },
  "list_instances": {
    "query": {
      "limit": 2,
      "state": "running"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "instance",
          "id": "inst_2mLFkHLMWwvQrvBiZBBw-",
          "resource_path": "svc:instance:acme:research:lab",
          "workspace": {
            "object": "workspace",
            "id": "wksp_K1klzvvWkgX4jrp9tv1Qy",
            "name": "research",
            "resource_path": "svc:workspace:acme:research"
          },
          "name": "lab",
          "state": "running",
          "sku": {
            "object": "sku",
            "id": "sku_fOfR5IvUV10aasDDXBb08",
            "alias": "a100-north"
          },
          "image": {
            "object": "image",
            "id": "image_eyhg0dACeuahvvIUsLvfA",
            "name": "ubuntu-24.04",
            "resource_path": "svc:image:bourse:public:ubuntu-24.04"
          },
          "pool": {
            "object": "pool",
            "id": "pool__V2gFBQtVOGXtyJokZUyG",
            "name": "lab",
            "resource_path": "svc:pool:acme:research:lab"
          },
          "created_at": 1795421700,
          "_preview_updated_at": 1795421700,
          "cloud_init_user_data_used": false,
          "subnet": null,
          "_preview_enable_public_ipv4": false,
          "_preview_infiniband_partition": null,
          "tags": null,
          "priority_level": "normal",
          "hardware": {
            "host": "44e2a6792eb61c63",
            "accelerators": [
              {
                "kind": "a100",
                "pci": "0000:18:00.0"
              },
              {
                "kind": "a100",
                "pci": "0000:19:00.0"
              }
            ],
            "numa": [
              1
            ],
            "verified_at": 1795420740
          }
        },
        {
          "object": "instance",
          "id": "inst_mdgTmd2E3gLcbF3-hsHzN",
          "resource_path": "svc:instance:acme:default:legacy-worker",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "legacy-worker",
          "state": "running",
          "sku": {
            "object": "sku",
            "id": "sku_SB7EiswLiKEiDpZmDRbzG",
            "alias": "v100-north"
          },
          "image": {
            "object": "image",
            "id": "image_1sMZIRopQrTTfE1jK-q7g",
            "name": "trainer-2",
            "resource_path": "svc:image:acme:default:trainer-2"
          },
          "pool": {
            "object": "pool",
            "id": "pool_1yIR1lNK0U8SVtCZ3tBek",
            "name": "legacy",
            "resource_path": "svc:pool:acme:default:legacy"
          },
          "created_at": 1795421580,
          "_preview_updated_at": 1795421580,
          "cloud_init_user_data_used": true,
          "subnet": null,
          "_preview_enable_public_ipv4": false,
          "_preview_infiniband_partition": null,
          "tags": null,
          "priority_level": "normal",
          "hardware": {
            "host": "e667e825f445d325",
            "accelerators": [
              {
                "kind": "v100",
                "pci": "0000:04:00.0"
              },
              {
                "kind": "v100",
                "pci": "0000:05:00.0"
              }
            ],
            "numa": [
              1
            ],
            "verified_at": 1795420740
          }
        }
      ],
      "has_more": true,
      "cursor": "instc_m2cwjxETYcACi01wBPc5xVrm"
    }
  },
  "get_instance": {
    "params": {
      "id": "inst_f7mURhXe-PX8TZ4YvRDa-"
    },
    "response": {
      "object": "instance",
      "id": "inst_f7mURhXe-PX8TZ4YvRDa-",
      "resource_path": "svc:instance:acme:default:notebook",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "notebook",
      "state": "running",
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "image": {
        "object": "image",
        "id": "image_1sMZIRopQrTTfE1jK-q7g",
        "name": "trainer-2",
        "resource_path": "svc:image:acme:default:trainer-2"
      },
      "pool": {
        "object": "pool",
        "id": "pool_zZHeuUYHULrLSDL6qbTVT",
        "name": "training",
        "resource_path": "svc:pool:acme:default:training"
      },
      "created_at": 1795421580,
      "_preview_updated_at": 1795421580,
      "cloud_init_user_data_used": true,
      "subnet": null,
      "_preview_enable_public_ipv4": false,
      "_preview_infiniband_partition": null,
      "tags": null,
      "priority_level": "normal",
      "hardware": {
        "host": "c95318a8df6a5380",
        "accelerators": [
          {
            "kind": "h100",
            "pci": "0000:00:00.0"
          },
          {
            "kind": "h100",
            "pci": "0000:01:00.0"
          }
        ],
        "numa": [
          0
        ],
        "rdma": [
          "0001:00:00.0"
        ],
        "verified_at": 1795420740
      }
    }
  },
  "get_instance_cloud_init": {
    "params": {
      "id": "inst_f7mURhXe-PX8TZ4YvRDa-"
    },
    "response": {
      "object": "cloud_init_user_data",
      "cloud_init_user_data": "IyEvYmluL3NoCmVjaG8gIkhlbGxvIGZyb20gQm91cnNlLiIgPiAvZXRjL21vdGQK"
    }
  },
  "get_instance_ssh": {
    "params": {
      "id": "inst_f7mURhXe-PX8TZ4YvRDa-"
    },
    "response": {
      "object": "instance_ssh",
      "hostname": "simulated.invalid",
      "port": 29408,
      "host_keys": [
        {
          "key_type": "ssh-ed25519",
          "key": "AAAAC3NzaC1lZDI1NTE5AAAAILO/ElRJj1fZgfUcOlmIbz5W3lHiqGkw6poMdWD8XCYQ"
        }
      ],
      "keys_read_at": 1795421580
    }
  },
  "get_instance_attestation": {
    "params": {
      "id": "inst_f7mURhXe-PX8TZ4YvRDa-"
    },
    "response": {
      "object": "instance_attestation",
      "instance": "inst_f7mURhXe-PX8TZ4YvRDa-",
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
      "host": "c95318a8df6a5380",
      "simulated": true,
      "attested_at": 1795424340,
      "expires_at": 1795431540,
      "hardware": {
        "num_vcpus": 192,
        "memory_bytes": 2199023255552,
        "storage_bytes": 16492674416640,
        "accelerators": [
          {
            "kind": "h100",
            "name": "NVIDIA H100",
            "form_factor": "sxm",
            "memory_bytes": null,
            "pci_id": "0000:0000",
            "pci": "0000:00:00.0",
            "numa_node": 0
          },
          {
            "kind": "h100",
            "name": "NVIDIA H100",
            "form_factor": "sxm",
            "memory_bytes": null,
            "pci_id": "0000:0000",
            "pci": "0000:01:00.0",
            "numa_node": 0
          }
        ],
        "rdma": [
          {
            "pci": "0001:00:00.0",
            "link_layer": "infiniband",
            "gigabits_per_second": 400,
            "numa_node": 0
          }
        ],
        "processors": {
          "model": "Simulated processor",
          "sockets": 2,
          "cores": 384,
          "threads": 768,
          "features": []
        },
        "numa_nodes": 2,
        "is_iommu_on": true,
        "is_secure_boot_on": false,
        "is_kvm_usable": null,
        "kernel": "simulated",
        "qemu": null
      },
      "jws": "eyJhbGciOiJFZERTQSJ9._mS9ART6jIuhamJKp2tNFx-d.signature"
    }
  },
  "list_instance_logs": {
    "params": {
      "id": "inst_f7mURhXe-PX8TZ4YvRDa-"
    },
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "seqnum": 1,
          "logged_at": 1795421580,
          "data": "WyAgICAwLjAwMDAwMF0gQm9vdGluZyBhIHNpbXVsYXRlZCBtYWNoaW5lOiBub3RoaW5nIGhlcmUgcnVucyBmb3IgcmVhbApbICAgIDAuNDEyMDAwXSBzbWJpb3M6IHV1aWQgMTVjY2I3YTEzNWRhOWM5NmI3Mzc2ZjYzZjJhOWRkMTAKWyAgICAyLjg3MTAwMF0gY2xvdWQtaW5pdDogdXNlciBkYXRhIGFuZCBrZXlzIGFyZSBpbiBwbGFjZQpbICAgIDMuMTA1MDAwXSBzc2hkOiBsaXN0ZW5pbmcgb24gcG9ydCAyMgppbnN0X2Y3bVVSaFhlLVBYOFRaNFl2UkRhLSBsb2dpbjog"
        }
      ],
      "has_more": false
    }
  },
  "explain_instance": {
    "params": {
      "id": "inst_N7OP3TAkVKhueVPcuA7no"
    },
    "response": {
      "object": "instance_explanation",
      "instance": "inst_N7OP3TAkVKhueVPcuA7no",
      "state": "awaiting_allocation",
      "as_of": 1795424460,
      "summary": "The allocation of the pool is used by instances that run or rank higher.",
      "waiting": {
        "reasons": [
          {
            "code": "outranked",
            "message": "The allocation of the pool is used by instances that run or rank higher."
          }
        ],
        "next_allocation_at": null,
        "rank": 1,
        "pool_allocation_now": 6,
        "pool_instances_now": 6
      },
      "boot": null,
      "termination": null,
      "connection_lost_at": null,
      "replaces": null,
      "replaced_by": null
    }
  },
  "create_instance": {
    "body": {
      "pool": "svc:pool:acme:default:training",
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
      "name": "evaluation",
      "image": "svc:image:acme:default:trainer-2",
      "tags": {
        "team": "training"
      }
    },
    "response": {
      "object": "instance",
      "id": "inst_h5FPxrPA94d3-XCdbUgEF",
      "resource_path": "svc:instance:acme:default:evaluation",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "evaluation",
      "state": "awaiting_allocation",
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "image": {
        "object": "image",
        "id": "image_1sMZIRopQrTTfE1jK-q7g",
        "name": "trainer-2",
        "resource_path": "svc:image:acme:default:trainer-2"
      },
      "pool": {
        "object": "pool",
        "id": "pool_zZHeuUYHULrLSDL6qbTVT",
        "name": "training",
        "resource_path": "svc:pool:acme:default:training"
      },
      "created_at": 1795424460,
      "_preview_updated_at": 1795424460,
      "cloud_init_user_data_used": false,
      "subnet": null,
      "_preview_enable_public_ipv4": false,
      "_preview_infiniband_partition": null,
      "tags": {
        "team": "training"
      },
      "priority_level": "normal"
    }
  },
  "update_instance": {
    "params": {
      "id": "svc:instance:acme:default:evaluation"
    },
    "body": {
      "tags": {
        "team": "training",
        "run": "42"
      },
      "priority_level": "preferred"
    },
    "response": {
      "object": "instance",
      "id": "inst_h5FPxrPA94d3-XCdbUgEF",
      "resource_path": "svc:instance:acme:default:evaluation",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "evaluation",
      "state": "awaiting_allocation",
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "image": {
        "object": "image",
        "id": "image_1sMZIRopQrTTfE1jK-q7g",
        "name": "trainer-2",
        "resource_path": "svc:image:acme:default:trainer-2"
      },
      "pool": {
        "object": "pool",
        "id": "pool_zZHeuUYHULrLSDL6qbTVT",
        "name": "training",
        "resource_path": "svc:pool:acme:default:training"
      },
      "created_at": 1795424460,
      "_preview_updated_at": 1795424460,
      "cloud_init_user_data_used": false,
      "subnet": null,
      "_preview_enable_public_ipv4": false,
      "_preview_infiniband_partition": null,
      "tags": {
        "team": "training",
        "run": "42"
      },
      "priority_level": "preferred"
    }
  },
  "update_instance_priorities": {
    "body": {
      "data": [
        {
          "id": "svc:instance:acme:default:evaluation",
          "priority_level": "critical"
        },
        {
          "id": "inst_f7mURhXe-PX8TZ4YvRDa-",
          "priority_level": null
        }
      ]
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "instance",
          "id": "inst_h5FPxrPA94d3-XCdbUgEF",
          "resource_path": "svc:instance:acme:default:evaluation",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "evaluation",
          "state": "awaiting_allocation",
          "sku": {
            "object": "sku",
            "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
            "alias": "h100-west"
          },
          "image": {
            "object": "image",
            "id": "image_1sMZIRopQrTTfE1jK-q7g",
            "name": "trainer-2",
            "resource_path": "svc:image:acme:default:trainer-2"
          },
          "pool": {
            "object": "pool",
            "id": "pool_zZHeuUYHULrLSDL6qbTVT",
            "name": "training",
            "resource_path": "svc:pool:acme:default:training"
          },
          "created_at": 1795424460,
          "_preview_updated_at": 1795424460,
          "cloud_init_user_data_used": false,
          "subnet": null,
          "_preview_enable_public_ipv4": false,
          "_preview_infiniband_partition": null,
          "tags": {
            "run": "42",
            "team": "training"
          },
          "priority_level": "critical"
        },
        {
          "object": "instance",
          "id": "inst_f7mURhXe-PX8TZ4YvRDa-",
          "resource_path": "svc:instance:acme:default:notebook",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "notebook",
          "state": "running",
          "sku": {
            "object": "sku",
            "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
            "alias": "h100-west"
          },
          "image": {
            "object": "image",
            "id": "image_1sMZIRopQrTTfE1jK-q7g",
            "name": "trainer-2",
            "resource_path": "svc:image:acme:default:trainer-2"
          },
          "pool": {
            "object": "pool",
            "id": "pool_zZHeuUYHULrLSDL6qbTVT",
            "name": "training",
            "resource_path": "svc:pool:acme:default:training"
          },
          "created_at": 1795421580,
          "_preview_updated_at": 1795424460,
          "cloud_init_user_data_used": true,
          "subnet": null,
          "_preview_enable_public_ipv4": false,
          "_preview_infiniband_partition": null,
          "tags": null,
          "priority_level": "normal",
          "hardware": {
            "host": "c95318a8df6a5380",
            "accelerators": [
              {
                "kind": "h100",
                "pci": "0000:00:00.0"
              },
              {
                "kind": "h100",
                "pci": "0000:01:00.0"
              }
            ],
            "numa": [
              0
            ],
            "rdma": [
              "0001:00:00.0"
            ],
            "verified_at": 1795420740
          }
        }
      ],
      "has_more": false
    }
  },
  "replace_instance": {
    "params": {
      "id": "svc:instance:acme:default:evaluation"
    },
    "body": {
      "image": "svc:image:bourse:public:ubuntu-24.04",
      "name": "evaluation-2"
    },
    "response": {
      "object": "instance",
      "id": "inst_QyDITEuRRBLram5OFKVe7",
      "resource_path": "svc:instance:acme:default:evaluation-2",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "evaluation-2",
      "state": "awaiting_allocation",
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "image": {
        "object": "image",
        "id": "image_eyhg0dACeuahvvIUsLvfA",
        "name": "ubuntu-24.04",
        "resource_path": "svc:image:bourse:public:ubuntu-24.04"
      },
      "pool": {
        "object": "pool",
        "id": "pool_zZHeuUYHULrLSDL6qbTVT",
        "name": "training",
        "resource_path": "svc:pool:acme:default:training"
      },
      "created_at": 1795424460,
      "_preview_updated_at": 1795424460,
      "cloud_init_user_data_used": false,
      "subnet": null,
      "_preview_enable_public_ipv4": false,
      "_preview_infiniband_partition": null,
      "tags": {
        "run": "42",
        "team": "training"
      },
      "priority_level": "critical"
    }
  },
  "terminate_instance": {
    "params": {
      "id": "svc:instance:acme:default:evaluation-2"
    },
    "response": {
      "object": "instance",
      "id": "inst_QyDITEuRRBLram5OFKVe7",
      "resource_path": "svc:instance:acme:default:evaluation-2",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "evaluation-2",
      "state": "terminated",
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "image": {
        "object": "image",
        "id": "image_eyhg0dACeuahvvIUsLvfA",
        "name": "ubuntu-24.04",
        "resource_path": "svc:image:bourse:public:ubuntu-24.04"
      },
      "pool": {
        "object": "pool",
        "id": "pool_zZHeuUYHULrLSDL6qbTVT",
        "name": "training",
        "resource_path": "svc:pool:acme:default:training"
      },
      "created_at": 1795424460,
      "_preview_updated_at": 1795424460,
      "cloud_init_user_data_used": false,
      "subnet": null,
      "_preview_enable_public_ipv4": false,
      "_preview_infiniband_partition": null,
      "tags": {
        "run": "42",
        "team": "training"
      },
      "priority_level": "critical"
    }
  },
  "delete_instance": {
    "params": {
      "id": "svc:instance:acme:default:evaluation-2"
    }
  },
  "create_deployment_estimate": {
    "body": {
      "kind": "spot",
      "name": "crunch",
      "pool": "svc:pool:acme:default:training-extra",
      "instance_template": "svc:instance_template:acme:default:trainer",
      "target_instance_count": 2,
      "max_buy_price_dollars_per_node_hour": "20.00",
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO"
    },
    "response": {
      "object": "automation_estimate",
      "pool": "pool_OalI3K9lXBNqBSJ2h0-Sp",
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
      "enabled": true,
      "start_at": 1795424520,
      "end_at": 1795428120,
      "target_node_count": 2,
      "max_buy_price_dollars_per_node_hour": "20.000000",
      "can_trade_more": true,
      "buy": {
        "order_count": 2,
        "node_minutes": 118,
        "traded_node_minutes": 118,
        "offers": [
          {
            "price_dollars_per_node_hour": "18.074164",
            "allocation_schedule_delta": [
              {
                "start_at": 1795424520,
                "end_at": 1795428000,
                "node_count": 2
              },
              {
                "start_at": 1795428000,
                "end_at": 1795428120,
                "node_count": 1
              }
            ],
            "node_minutes": 118,
            "total_dollars": "35.545855"
          }
        ],
        "offer_count": 1,
        "total_dollars": "35.545855",
        "average_price_dollars_per_node_hour": "18.074164",
        "fee_dollars": "0.000000",
        "worst_case_dollars": "39.333334"
      },
      "sell": {
        "order_count": 0,
        "node_minutes": 0,
        "traded_node_minutes": 0,
        "offers": [],
        "offer_count": 0,
        "total_dollars": "0.000000",
        "average_price_dollars_per_node_hour": null,
        "fee_dollars": "0.000000",
        "worst_case_dollars": "0.000000"
      },
      "worst_case_dollars_per_hour": "40.000000",
      "worst_case_dollars_per_day": "960.000000",
      "worst_case_dollars_of_window": "40.000000",
      "available_dollars": "263427.794808",
      "available_after_dollars": "263392.248953",
      "refusal": null,
      "reason": null,
      "as_of": 1795424460
    }
  },
  "create_deployment": {
    "body": {
      "kind": "spot",
      "name": "crunch",
      "pool": "svc:pool:acme:default:training-extra",
      "instance_template": "svc:instance_template:acme:default:trainer",
      "target_instance_count": 2,
      "max_buy_price_dollars_per_node_hour": "20.00",
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO"
    },
    "response": {
      "object": "spot_deployment",
      "id": "depl_KtTwtJ-ee55PdGEaZDi1h",
      "resource_path": "svc:deployment:acme:default:crunch",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "crunch",
      "pool": {
        "object": "pool",
        "id": "pool_OalI3K9lXBNqBSJ2h0-Sp",
        "name": "training-extra",
        "resource_path": "svc:pool:acme:default:training-extra"
      },
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "instance_template": {
        "object": "instance_template",
        "id": "itmpl_fXmcZ0Y153U60o3igVpVD",
        "name": "trainer",
        "resource_path": "svc:instance_template:acme:default:trainer"
      },
      "enabled": true,
      "target_instance_count": 2,
      "live_instance_count": 0,
      "instance_name_template": "{{adjective}}-{{noun}}-{{nanoid(6)}}",
      "max_buy_price_dollars_per_node_hour": "20.000000",
      "status": {
        "state": "info",
        "code": "waiting_for_allocation",
        "message": "2 of 2 instances wait for allocation."
      },
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "list_deployments": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "spot_deployment",
          "id": "depl_KtTwtJ-ee55PdGEaZDi1h",
          "resource_path": "svc:deployment:acme:default:crunch",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "crunch",
          "pool": {
            "object": "pool",
            "id": "pool_OalI3K9lXBNqBSJ2h0-Sp",
            "name": "training-extra",
            "resource_path": "svc:pool:acme:default:training-extra"
          },
          "sku": {
            "object": "sku",
            "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
            "alias": "h100-west"
          },
          "instance_template": {
            "object": "instance_template",
            "id": "itmpl_fXmcZ0Y153U60o3igVpVD",
            "name": "trainer",
            "resource_path": "svc:instance_template:acme:default:trainer"
          },
          "enabled": true,
          "target_instance_count": 2,
          "live_instance_count": 2,
          "instance_name_template": "{{adjective}}-{{noun}}-{{nanoid(6)}}",
          "max_buy_price_dollars_per_node_hour": "20.000000",
          "status": {
            "state": "info",
            "code": "waiting_for_allocation",
            "message": "2 of 2 instances wait for allocation."
          },
          "created_at": 1795424460,
          "updated_at": 1795424460
        },
        {
          "object": "deployment",
          "id": "depl_nW_uNnjhJ2JpmFuEVMHg0",
          "resource_path": "svc:deployment:acme:default:spare",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "spare",
          "pool": {
            "object": "pool",
            "id": "pool_5Z5pZCJpAhBj006bxVDdB",
            "name": "batch",
            "resource_path": "svc:pool:acme:default:batch"
          },
          "sku": {
            "object": "sku",
            "id": "sku_fOfR5IvUV10aasDDXBb08",
            "alias": "a100-north"
          },
          "instance_template": {
            "object": "instance_template",
            "id": "itmpl_8GdiAOCWiXGNT3QmnME35",
            "name": "web",
            "resource_path": "svc:instance_template:acme:default:web"
          },
          "enabled": true,
          "target_instance_count": 1,
          "live_instance_count": 1,
          "instance_name_template": "{{adjective}}-{{noun}}-{{nanoid(6)}}",
          "status": {
            "state": "info",
            "code": "ok",
            "message": "1 of 1 instances have a machine."
          },
          "created_at": 1795421160,
          "updated_at": 1795421160
        }
      ],
      "has_more": true,
      "cursor": "deplc_Y9LrdwBouZWq723ot9N5-Lpd"
    }
  },
  "get_deployment": {
    "params": {
      "id": "depl_kiMjkH3lWIVGIxo-Umcll"
    },
    "response": {
      "object": "deployment",
      "id": "depl_kiMjkH3lWIVGIxo-Umcll",
      "resource_path": "svc:deployment:acme:default:trainers",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "trainers",
      "pool": {
        "object": "pool",
        "id": "pool_zZHeuUYHULrLSDL6qbTVT",
        "name": "training",
        "resource_path": "svc:pool:acme:default:training"
      },
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "instance_template": {
        "object": "instance_template",
        "id": "itmpl_fXmcZ0Y153U60o3igVpVD",
        "name": "trainer",
        "resource_path": "svc:instance_template:acme:default:trainer"
      },
      "enabled": true,
      "target_instance_count": 4,
      "live_instance_count": 4,
      "instance_name_template": "trainer-{{adjective}}-{{noun}}",
      "status": {
        "state": "info",
        "code": "ok",
        "message": "4 of 4 instances have a machine."
      },
      "created_at": 1795420860,
      "updated_at": 1795420860
    }
  },
  "create_deployment_update_estimate": {
    "params": {
      "id": "svc:deployment:acme:default:crunch"
    },
    "body": {
      "target_instance_count": 4
    },
    "response": {
      "object": "automation_estimate",
      "pool": "pool_OalI3K9lXBNqBSJ2h0-Sp",
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
      "enabled": true,
      "start_at": 1795424520,
      "end_at": 1795428120,
      "target_node_count": 4,
      "max_buy_price_dollars_per_node_hour": "20.000000",
      "can_trade_more": true,
      "buy": {
        "order_count": 1,
        "node_minutes": 120,
        "traded_node_minutes": 120,
        "offers": [
          {
            "price_dollars_per_node_hour": "18.074164",
            "allocation_schedule_delta": [
              {
                "start_at": 1795428000,
                "end_at": 1795428120,
                "node_count": 1
              }
            ],
            "node_minutes": 2,
            "total_dollars": "0.602472"
          },
          {
            "price_dollars_per_node_hour": "18.212791",
            "allocation_schedule_delta": [
              {
                "start_at": 1795424520,
                "end_at": 1795428000,
                "node_count": 2
              },
              {
                "start_at": 1795428000,
                "end_at": 1795428120,
                "node_count": 1
              }
            ],
            "node_minutes": 118,
            "total_dollars": "35.818488"
          }
        ],
        "offer_count": 2,
        "total_dollars": "36.420960",
        "average_price_dollars_per_node_hour": "18.210481",
        "fee_dollars": "0.000000",
        "worst_case_dollars": "40.000000"
      },
      "sell": {
        "order_count": 0,
        "node_minutes": 0,
        "traded_node_minutes": 0,
        "offers": [],
        "offer_count": 0,
        "total_dollars": "0.000000",
        "average_price_dollars_per_node_hour": null,
        "fee_dollars": "0.000000",
        "worst_case_dollars": "0.000000"
      },
      "worst_case_dollars_per_hour": "80.000000",
      "worst_case_dollars_per_day": "1920.000000",
      "worst_case_dollars_of_window": "80.000000",
      "available_dollars": "263392.248953",
      "available_after_dollars": "263355.827993",
      "refusal": null,
      "reason": null,
      "as_of": 1795424460
    }
  },
  "update_deployment": {
    "params": {
      "id": "svc:deployment:acme:default:crunch"
    },
    "body": {
      "target_instance_count": 1,
      "max_buy_price_dollars_per_node_hour": "18.00"
    },
    "response": {
      "object": "spot_deployment",
      "id": "depl_KtTwtJ-ee55PdGEaZDi1h",
      "resource_path": "svc:deployment:acme:default:crunch",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "crunch",
      "pool": {
        "object": "pool",
        "id": "pool_OalI3K9lXBNqBSJ2h0-Sp",
        "name": "training-extra",
        "resource_path": "svc:pool:acme:default:training-extra"
      },
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "instance_template": {
        "object": "instance_template",
        "id": "itmpl_fXmcZ0Y153U60o3igVpVD",
        "name": "trainer",
        "resource_path": "svc:instance_template:acme:default:trainer"
      },
      "enabled": true,
      "target_instance_count": 1,
      "live_instance_count": 2,
      "instance_name_template": "{{adjective}}-{{noun}}-{{nanoid(6)}}",
      "max_buy_price_dollars_per_node_hour": "18.000000",
      "status": {
        "state": "info",
        "code": "waiting_for_allocation",
        "message": "1 of 1 instances wait for allocation."
      },
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "delete_deployment": {
    "params": {
      "id": "svc:deployment:acme:default:crunch"
    }
  },
  "create_procurement_estimate": {
    "body": {
      "name": "keep-two",
      "pool": "svc:pool:acme:default:training-extra",
      "target": 2,
      "min_sell_price_dollars_per_node_hour": "12.00",
      "max_buy_price_dollars_per_node_hour": "20.00",
      "managed_window_minutes": 180,
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO"
    },
    "response": {
      "object": "automation_estimate",
      "pool": "pool_OalI3K9lXBNqBSJ2h0-Sp",
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
      "enabled": true,
      "start_at": 1795424520,
      "end_at": 1795435320,
      "target_node_count": 2,
      "max_buy_price_dollars_per_node_hour": "20.000000",
      "can_trade_more": true,
      "buy": {
        "order_count": 1,
        "node_minutes": 58,
        "traded_node_minutes": 58,
        "offers": [
          {
            "price_dollars_per_node_hour": "18.074164",
            "allocation_schedule_delta": [
              {
                "start_at": 1795428120,
                "end_at": 1795431600,
                "node_count": 1
              }
            ],
            "node_minutes": 58,
            "total_dollars": "17.471691"
          }
        ],
        "offer_count": 1,
        "total_dollars": "17.471691",
        "average_price_dollars_per_node_hour": "18.074164",
        "fee_dollars": "0.000000",
        "worst_case_dollars": "19.333334"
      },
      "sell": {
        "order_count": 0,
        "node_minutes": 0,
        "traded_node_minutes": 0,
        "offers": [],
        "offer_count": 0,
        "total_dollars": "0.000000",
        "average_price_dollars_per_node_hour": null,
        "fee_dollars": "0.000000",
        "worst_case_dollars": "0.000000"
      },
      "worst_case_dollars_per_hour": "40.000000",
      "worst_case_dollars_per_day": "960.000000",
      "worst_case_dollars_of_window": "120.000000",
      "available_dollars": "263392.248953",
      "available_after_dollars": "263374.777262",
      "refusal": null,
      "reason": null,
      "as_of": 1795424460
    }
  },
  "create_procurement": {
    "body": {
      "name": "keep-two",
      "pool": "svc:pool:acme:default:training-extra",
      "target": 2,
      "min_sell_price_dollars_per_node_hour": "12.00",
      "max_buy_price_dollars_per_node_hour": "20.00",
      "managed_window_minutes": 180,
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO"
    },
    "response": {
      "object": "procurement",
      "id": "proc_vnCbNJeGWmnVaMChBTJV1",
      "resource_path": "svc:procurement:acme:default:keep-two",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "keep-two",
      "pool": {
        "object": "pool",
        "id": "pool_OalI3K9lXBNqBSJ2h0-Sp",
        "name": "training-extra",
        "resource_path": "svc:pool:acme:default:training-extra"
      },
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "target": 2,
      "min_sell_price_dollars_per_node_hour": "12.000000",
      "max_buy_price_dollars_per_node_hour": "20.000000",
      "managed_window_minutes": 180,
      "enabled": true,
      "status": {
        "state": "info",
        "code": "ok",
        "message": "The pool is being checked."
      },
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "list_procurements": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "procurement",
          "id": "proc_vnCbNJeGWmnVaMChBTJV1",
          "resource_path": "svc:procurement:acme:default:keep-two",
          "workspace": {
            "object": "workspace",
            "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
            "name": "default",
            "resource_path": "svc:workspace:acme:default"
          },
          "name": "keep-two",
          "pool": {
            "object": "pool",
            "id": "pool_OalI3K9lXBNqBSJ2h0-Sp",
            "name": "training-extra",
            "resource_path": "svc:pool:acme:default:training-extra"
          },
          "sku": {
            "object": "sku",
            "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
            "alias": "h100-west"
          },
          "target": 2,
          "min_sell_price_dollars_per_node_hour": "12.000000",
          "max_buy_price_dollars_per_node_hour": "20.000000",
          "managed_window_minutes": 180,
          "enabled": true,
          "status": {
            "state": "warning",
            "code": "prices_crossed",
            "message": "The minimum sell price is below the maximum buy price: buying and selling again can lose money."
          },
          "created_at": 1795424460,
          "updated_at": 1795424460
        }
      ],
      "has_more": false,
      "cursor": "procc_CHuARPogbvN7a8nhL4oPsukO"
    }
  },
  "get_procurement": {
    "params": {
      "id": "svc:procurement:acme:default:keep-two"
    },
    "response": {
      "object": "procurement",
      "id": "proc_vnCbNJeGWmnVaMChBTJV1",
      "resource_path": "svc:procurement:acme:default:keep-two",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "keep-two",
      "pool": {
        "object": "pool",
        "id": "pool_OalI3K9lXBNqBSJ2h0-Sp",
        "name": "training-extra",
        "resource_path": "svc:pool:acme:default:training-extra"
      },
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "target": 2,
      "min_sell_price_dollars_per_node_hour": "12.000000",
      "max_buy_price_dollars_per_node_hour": "20.000000",
      "managed_window_minutes": 180,
      "enabled": true,
      "status": {
        "state": "warning",
        "code": "prices_crossed",
        "message": "The minimum sell price is below the maximum buy price: buying and selling again can lose money."
      },
      "created_at": 1795424460,
      "updated_at": 1795424460
    }
  },
  "list_holds": {
    "response": {
      "object": "list",
      "data": [],
      "has_more": false
    }
  },
  "create_procurement_update_estimate": {
    "params": {
      "id": "svc:procurement:acme:default:keep-two"
    },
    "body": {
      "target": 4
    },
    "response": {
      "object": "automation_estimate",
      "pool": "pool_OalI3K9lXBNqBSJ2h0-Sp",
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
      "enabled": true,
      "start_at": 1795424580,
      "end_at": 1795435380,
      "target_node_count": 4,
      "max_buy_price_dollars_per_node_hour": "20.000000",
      "can_trade_more": true,
      "buy": {
        "order_count": 2,
        "node_minutes": 366,
        "traded_node_minutes": 366,
        "offers": [
          {
            "price_dollars_per_node_hour": "18.085588",
            "allocation_schedule_delta": [
              {
                "start_at": 1795424580,
                "end_at": 1795435380,
                "node_count": 2
              }
            ],
            "node_minutes": 360,
            "total_dollars": "108.513527"
          },
          {
            "price_dollars_per_node_hour": "18.212791",
            "allocation_schedule_delta": [
              {
                "start_at": 1795435200,
                "end_at": 1795435380,
                "node_count": 2
              }
            ],
            "node_minutes": 6,
            "total_dollars": "1.821279"
          }
        ],
        "offer_count": 2,
        "total_dollars": "110.334806",
        "average_price_dollars_per_node_hour": "18.087673",
        "fee_dollars": "0.000000",
        "worst_case_dollars": "122.000000"
      },
      "sell": {
        "order_count": 0,
        "node_minutes": 0,
        "traded_node_minutes": 0,
        "offers": [],
        "offer_count": 0,
        "total_dollars": "0.000000",
        "average_price_dollars_per_node_hour": null,
        "fee_dollars": "0.000000",
        "worst_case_dollars": "0.000000"
      },
      "worst_case_dollars_per_hour": "80.000000",
      "worst_case_dollars_per_day": "1920.000000",
      "worst_case_dollars_of_window": "240.000000",
      "available_dollars": "263374.777262",
      "available_after_dollars": "263264.442456",
      "refusal": null,
      "reason": null,
      "as_of": 1795424520
    }
  },
  "update_procurement": {
    "params": {
      "id": "svc:procurement:acme:default:keep-two"
    },
    "body": {
      "target": 3,
      "max_buy_price_dollars_per_node_hour": "18.50"
    },
    "response": {
      "object": "procurement",
      "id": "proc_vnCbNJeGWmnVaMChBTJV1",
      "resource_path": "svc:procurement:acme:default:keep-two",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "keep-two",
      "pool": {
        "object": "pool",
        "id": "pool_OalI3K9lXBNqBSJ2h0-Sp",
        "name": "training-extra",
        "resource_path": "svc:pool:acme:default:training-extra"
      },
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "target": 3,
      "min_sell_price_dollars_per_node_hour": "12.000000",
      "max_buy_price_dollars_per_node_hour": "18.500000",
      "managed_window_minutes": 180,
      "enabled": true,
      "status": {
        "state": "info",
        "code": "ok",
        "message": "The pool is being checked."
      },
      "created_at": 1795424460,
      "updated_at": 1795424520
    }
  },
  "delete_procurement": {
    "params": {
      "id": "svc:procurement:acme:default:keep-two"
    }
  },
  "create_simulated_hosts": {
    "body": {
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
      "count": 2,
      "slots": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "host",
          "id": "host_T9iPNYAbvl62ECcfkLa0K",
          "resource_path": "svc:host:bourse:public:gentle-orchard-93VPT0",
          "account": "bourse",
          "workspace": {
            "object": "workspace",
            "id": "wksp_d48iRtV7r866wpO8-oAcN",
            "name": "public",
            "resource_path": "svc:workspace:bourse:public"
          },
          "sku": {
            "object": "sku",
            "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
            "alias": "h100-west"
          },
          "pool": {
            "object": "pool",
            "id": "pool_V9sP5kOTkUNzYlGEPzmgu",
            "name": "supply",
            "resource_path": "svc:pool:bourse:public:supply"
          },
          "name": "gentle-orchard-93VPT0",
          "state": "active",
          "health": "healthy",
          "health_message": null,
          "slots": 2,
          "used_slots": 0,
          "instances": [],
          "agent_version": null,
          "facts": {
            "hostname": "simulated-11",
            "cpu_count": 384,
            "memory_bytes": 4400193994752,
            "storage_bytes": 32985348833280,
            "accelerators": [
              "h100",
              "h100"
            ],
            "network": "full",
            "host_address": "10.128.0.11",
            "public_ipv4s": [
              "198.18.0.55",
              "198.18.0.56"
            ],
            "hardware": {
              "processors": {
                "model": "Simulated processor",
                "sockets": 2,
                "cores": 192,
                "threads": 384,
                "features": []
              },
              "memory_bytes": 4400193994752,
              "numa_nodes": [
                {
                  "node": 0,
                  "threads": 192,
                  "memory_bytes": 2200096997376,
                  "free_2mib_pages": 0,
                  "free_1gib_pages": 0
                },
                {
                  "node": 1,
                  "threads": 192,
                  "memory_bytes": 2200096997376,
                  "free_2mib_pages": 0,
                  "free_1gib_pages": 0
                }
              ],
              "storage": {
                "size_bytes": 1610612736,
                "free_bytes": 32985348833280,
                "is_rotational": false,
                "is_read_only": false
              },
              "accelerators": [
                {
                  "kind": "h100",
                  "name": "NVIDIA H100",
                  "form_factor": "sxm",
                  "memory_bytes": null,
                  "pci_id": "0000:0000",
                  "subsystem_id": null,
                  "bar_bytes": 0,
                  "pcie_generation_max": null,
                  "pcie_lanes_max": null,
                  "devices": [
                    {
                      "pci": "0000:00:00.0",
                      "numa_node": 0,
                      "iommu_group": 1,
                      "driver": null,
                      "pcie_generation": null,
                      "pcie_lanes": null
                    },
                    {
                      "pci": "0000:01:00.0",
                      "numa_node": 0,
                      "iommu_group": 2,
                      "driver": null,
                      "pcie_generation": null,
                      "pcie_lanes": null
                    }
                  ]
                }
              ],
              "rdma": [
                {
                  "device": "simulated_0",
                  "port": 1,
                  "link_layer": "infiniband",
                  "state": "ACTIVE",
                  "gigabits_per_second": 400,
                  "numa_node": 0,
                  "guid": null,
                  "subnet_prefix": null,
                  "functions": [
                    "0001:00:00.0",
                    "0001:00:00.1"
                  ]
                }
              ],
              "is_iommu_on": true,
              "is_secure_boot_on": false,
              "is_kvm_usable": null,
              "kernel": "simulated",
              "qemu": null,
              "problems": []
            }
          },
          "benchmark": null,
          "traffic": "none",
          "tunnel": null,
          "last_seen_at": 1795424520,
          "drain_deadline_at": null,
          "supply_ends_at": null,
          "created_at": 1795424520,
          "retired_at": null
        },
        {
          "object": "host",
          "id": "host_ZJ5_kEprIKetRCeZkPMIr",
          "resource_path": "svc:host:bourse:public:nimble-meadow-6Qr4rz",
          "account": "bourse",
          "workspace": {
            "object": "workspace",
            "id": "wksp_d48iRtV7r866wpO8-oAcN",
            "name": "public",
            "resource_path": "svc:workspace:bourse:public"
          },
          "sku": {
            "object": "sku",
            "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
            "alias": "h100-west"
          },
          "pool": {
            "object": "pool",
            "id": "pool_V9sP5kOTkUNzYlGEPzmgu",
            "name": "supply",
            "resource_path": "svc:pool:bourse:public:supply"
          },
          "name": "nimble-meadow-6Qr4rz",
          "state": "active",
          "health": "healthy",
          "health_message": null,
          "slots": 2,
          "used_slots": 0,
          "instances": [],
          "agent_version": null,
          "facts": {
            "hostname": "simulated-12",
            "cpu_count": 384,
            "memory_bytes": 4400193994752,
            "storage_bytes": 32985348833280,
            "accelerators": [
              "h100",
              "h100"
            ],
            "network": "full",
            "host_address": "10.128.0.12",
            "public_ipv4s": [
              "198.18.0.57",
              "198.18.0.58"
            ],
            "hardware": {
              "processors": {
                "model": "Simulated processor",
                "sockets": 2,
                "cores": 192,
                "threads": 384,
                "features": []
              },
              "memory_bytes": 4400193994752,
              "numa_nodes": [
                {
                  "node": 0,
                  "threads": 192,
                  "memory_bytes": 2200096997376,
                  "free_2mib_pages": 0,
                  "free_1gib_pages": 0
                },
                {
                  "node": 1,
                  "threads": 192,
                  "memory_bytes": 2200096997376,
                  "free_2mib_pages": 0,
                  "free_1gib_pages": 0
                }
              ],
              "storage": {
                "size_bytes": 1610612736,
                "free_bytes": 32985348833280,
                "is_rotational": false,
                "is_read_only": false
              },
              "accelerators": [
                {
                  "kind": "h100",
                  "name": "NVIDIA H100",
                  "form_factor": "sxm",
                  "memory_bytes": null,
                  "pci_id": "0000:0000",
                  "subsystem_id": null,
                  "bar_bytes": 0,
                  "pcie_generation_max": null,
                  "pcie_lanes_max": null,
                  "devices": [
                    {
                      "pci": "0000:00:00.0",
                      "numa_node": 0,
                      "iommu_group": 1,
                      "driver": null,
                      "pcie_generation": null,
                      "pcie_lanes": null
                    },
                    {
                      "pci": "0000:01:00.0",
                      "numa_node": 0,
                      "iommu_group": 2,
                      "driver": null,
                      "pcie_generation": null,
                      "pcie_lanes": null
                    }
                  ]
                }
              ],
              "rdma": [
                {
                  "device": "simulated_0",
                  "port": 1,
                  "link_layer": "infiniband",
                  "state": "ACTIVE",
                  "gigabits_per_second": 400,
                  "numa_node": 0,
                  "guid": null,
                  "subnet_prefix": null,
                  "functions": [
                    "0001:00:00.0",
                    "0001:00:00.1"
                  ]
                }
              ],
              "is_iommu_on": true,
              "is_secure_boot_on": false,
              "is_kvm_usable": null,
              "kernel": "simulated",
              "qemu": null,
              "problems": []
            }
          },
          "benchmark": null,
          "traffic": "none",
          "tunnel": null,
          "last_seen_at": 1795424520,
          "drain_deadline_at": null,
          "supply_ends_at": null,
          "created_at": 1795424520,
          "retired_at": null
        }
      ],
      "has_more": false
    }
  },
  "list_hosts": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "host",
          "id": "host_ZJ5_kEprIKetRCeZkPMIr",
          "resource_path": "svc:host:bourse:public:nimble-meadow-6Qr4rz",
          "account": "bourse",
          "workspace": {
            "object": "workspace",
            "id": "wksp_d48iRtV7r866wpO8-oAcN",
            "name": "public",
            "resource_path": "svc:workspace:bourse:public"
          },
          "sku": {
            "object": "sku",
            "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
            "alias": "h100-west"
          },
          "pool": {
            "object": "pool",
            "id": "pool_V9sP5kOTkUNzYlGEPzmgu",
            "name": "supply",
            "resource_path": "svc:pool:bourse:public:supply"
          },
          "name": "nimble-meadow-6Qr4rz",
          "state": "active",
          "health": "healthy",
          "health_message": null,
          "slots": 2,
          "used_slots": 0,
          "instances": [],
          "agent_version": null,
          "facts": {
            "hostname": "simulated-12",
            "cpu_count": 384,
            "memory_bytes": 4400193994752,
            "storage_bytes": 32985348833280,
            "accelerators": [
              "h100",
              "h100"
            ],
            "network": "full",
            "host_address": "10.128.0.12",
            "public_ipv4s": [
              "198.18.0.57",
              "198.18.0.58"
            ],
            "hardware": {
              "processors": {
                "model": "Simulated processor",
                "sockets": 2,
                "cores": 192,
                "threads": 384,
                "features": []
              },
              "memory_bytes": 4400193994752,
              "numa_nodes": [
                {
                  "node": 0,
                  "threads": 192,
                  "memory_bytes": 2200096997376,
                  "free_2mib_pages": 0,
                  "free_1gib_pages": 0
                },
                {
                  "node": 1,
                  "threads": 192,
                  "memory_bytes": 2200096997376,
                  "free_2mib_pages": 0,
                  "free_1gib_pages": 0
                }
              ],
              "storage": {
                "size_bytes": 1610612736,
                "free_bytes": 32985348833280,
                "is_rotational": false,
                "is_read_only": false
              },
              "accelerators": [
                {
                  "kind": "h100",
                  "name": "NVIDIA H100",
                  "form_factor": "sxm",
                  "memory_bytes": null,
                  "pci_id": "0000:0000",
                  "subsystem_id": null,
                  "bar_bytes": 0,
                  "pcie_generation_max": null,
                  "pcie_lanes_max": null,
                  "devices": [
                    {
                      "pci": "0000:00:00.0",
                      "numa_node": 0,
                      "iommu_group": 1,
                      "driver": null,
                      "pcie_generation": null,
                      "pcie_lanes": null
                    },
                    {
                      "pci": "0000:01:00.0",
                      "numa_node": 0,
                      "iommu_group": 2,
                      "driver": null,
                      "pcie_generation": null,
                      "pcie_lanes": null
                    }
                  ]
                }
              ],
              "rdma": [
                {
                  "device": "simulated_0",
                  "port": 1,
                  "link_layer": "infiniband",
                  "state": "ACTIVE",
                  "gigabits_per_second": 400,
                  "numa_node": 0,
                  "guid": null,
                  "subnet_prefix": null,
                  "functions": [
                    "0001:00:00.0",
                    "0001:00:00.1"
                  ]
                }
              ],
              "is_iommu_on": true,
              "is_secure_boot_on": false,
              "is_kvm_usable": null,
              "kernel": "simulated",
              "qemu": null,
              "problems": []
            }
          },
          "benchmark": null,
          "traffic": "none",
          "tunnel": null,
          "last_seen_at": 1795424580,
          "drain_deadline_at": null,
          "supply_ends_at": null,
          "created_at": 1795424520,
          "retired_at": null
        },
        {
          "object": "host",
          "id": "host_T9iPNYAbvl62ECcfkLa0K",
          "resource_path": "svc:host:bourse:public:gentle-orchard-93VPT0",
          "account": "bourse",
          "workspace": {
            "object": "workspace",
            "id": "wksp_d48iRtV7r866wpO8-oAcN",
            "name": "public",
            "resource_path": "svc:workspace:bourse:public"
          },
          "sku": {
            "object": "sku",
            "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
            "alias": "h100-west"
          },
          "pool": {
            "object": "pool",
            "id": "pool_V9sP5kOTkUNzYlGEPzmgu",
            "name": "supply",
            "resource_path": "svc:pool:bourse:public:supply"
          },
          "name": "gentle-orchard-93VPT0",
          "state": "active",
          "health": "healthy",
          "health_message": null,
          "slots": 2,
          "used_slots": 0,
          "instances": [],
          "agent_version": null,
          "facts": {
            "hostname": "simulated-11",
            "cpu_count": 384,
            "memory_bytes": 4400193994752,
            "storage_bytes": 32985348833280,
            "accelerators": [
              "h100",
              "h100"
            ],
            "network": "full",
            "host_address": "10.128.0.11",
            "public_ipv4s": [
              "198.18.0.55",
              "198.18.0.56"
            ],
            "hardware": {
              "processors": {
                "model": "Simulated processor",
                "sockets": 2,
                "cores": 192,
                "threads": 384,
                "features": []
              },
              "memory_bytes": 4400193994752,
              "numa_nodes": [
                {
                  "node": 0,
                  "threads": 192,
                  "memory_bytes": 2200096997376,
                  "free_2mib_pages": 0,
                  "free_1gib_pages": 0
                },
                {
                  "node": 1,
                  "threads": 192,
                  "memory_bytes": 2200096997376,
                  "free_2mib_pages": 0,
                  "free_1gib_pages": 0
                }
              ],
              "storage": {
                "size_bytes": 1610612736,
                "free_bytes": 32985348833280,
                "is_rotational": false,
                "is_read_only": false
              },
              "accelerators": [
                {
                  "kind": "h100",
                  "name": "NVIDIA H100",
                  "form_factor": "sxm",
                  "memory_bytes": null,
                  "pci_id": "0000:0000",
                  "subsystem_id": null,
                  "bar_bytes": 0,
                  "pcie_generation_max": null,
                  "pcie_lanes_max": null,
                  "devices": [
                    {
                      "pci": "0000:00:00.0",
                      "numa_node": 0,
                      "iommu_group": 1,
                      "driver": null,
                      "pcie_generation": null,
                      "pcie_lanes": null
                    },
                    {
                      "pci": "0000:01:00.0",
                      "numa_node": 0,
                      "iommu_group": 2,
                      "driver": null,
                      "pcie_generation": null,
                      "pcie_lanes": null
                    }
                  ]
                }
              ],
              "rdma": [
                {
                  "device": "simulated_0",
                  "port": 1,
                  "link_layer": "infiniband",
                  "state": "ACTIVE",
                  "gigabits_per_second": 400,
                  "numa_node": 0,
                  "guid": null,
                  "subnet_prefix": null,
                  "functions": [
                    "0001:00:00.0",
                    "0001:00:00.1"
                  ]
                }
              ],
              "is_iommu_on": true,
              "is_secure_boot_on": false,
              "is_kvm_usable": null,
              "kernel": "simulated",
              "qemu": null,
              "problems": []
            }
          },
          "benchmark": null,
          "traffic": "none",
          "tunnel": null,
          "last_seen_at": 1795424580,
          "drain_deadline_at": null,
          "supply_ends_at": null,
          "created_at": 1795424520,
          "retired_at": null
        }
      ],
      "has_more": true,
      "cursor": "hostc_75BOmgsxAy1v4nn6HrAmHqTo"
    }
  },
  "get_host": {
    "params": {
      "id": "host_T9iPNYAbvl62ECcfkLa0K"
    },
    "response": {
      "object": "host",
      "id": "host_T9iPNYAbvl62ECcfkLa0K",
      "resource_path": "svc:host:bourse:public:gentle-orchard-93VPT0",
      "account": "bourse",
      "workspace": {
        "object": "workspace",
        "id": "wksp_d48iRtV7r866wpO8-oAcN",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "pool": {
        "object": "pool",
        "id": "pool_V9sP5kOTkUNzYlGEPzmgu",
        "name": "supply",
        "resource_path": "svc:pool:bourse:public:supply"
      },
      "name": "gentle-orchard-93VPT0",
      "state": "active",
      "health": "healthy",
      "health_message": null,
      "slots": 2,
      "used_slots": 0,
      "instances": [],
      "agent_version": null,
      "facts": {
        "hostname": "simulated-11",
        "cpu_count": 384,
        "memory_bytes": 4400193994752,
        "storage_bytes": 32985348833280,
        "accelerators": [
          "h100",
          "h100"
        ],
        "network": "full",
        "host_address": "10.128.0.11",
        "public_ipv4s": [
          "198.18.0.55",
          "198.18.0.56"
        ],
        "hardware": {
          "processors": {
            "model": "Simulated processor",
            "sockets": 2,
            "cores": 192,
            "threads": 384,
            "features": []
          },
          "memory_bytes": 4400193994752,
          "numa_nodes": [
            {
              "node": 0,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            },
            {
              "node": 1,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            }
          ],
          "storage": {
            "size_bytes": 1610612736,
            "free_bytes": 32985348833280,
            "is_rotational": false,
            "is_read_only": false
          },
          "accelerators": [
            {
              "kind": "h100",
              "name": "NVIDIA H100",
              "form_factor": "sxm",
              "memory_bytes": null,
              "pci_id": "0000:0000",
              "subsystem_id": null,
              "bar_bytes": 0,
              "pcie_generation_max": null,
              "pcie_lanes_max": null,
              "devices": [
                {
                  "pci": "0000:00:00.0",
                  "numa_node": 0,
                  "iommu_group": 1,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                },
                {
                  "pci": "0000:01:00.0",
                  "numa_node": 0,
                  "iommu_group": 2,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                }
              ]
            }
          ],
          "rdma": [
            {
              "device": "simulated_0",
              "port": 1,
              "link_layer": "infiniband",
              "state": "ACTIVE",
              "gigabits_per_second": 400,
              "numa_node": 0,
              "guid": null,
              "subnet_prefix": null,
              "functions": [
                "0001:00:00.0",
                "0001:00:00.1"
              ]
            }
          ],
          "is_iommu_on": true,
          "is_secure_boot_on": false,
          "is_kvm_usable": null,
          "kernel": "simulated",
          "qemu": null,
          "problems": []
        }
      },
      "benchmark": null,
      "traffic": "none",
      "tunnel": null,
      "last_seen_at": 1795424580,
      "drain_deadline_at": null,
      "supply_ends_at": null,
      "created_at": 1795424520,
      "retired_at": null
    }
  },
  "create_read_only_pool": {
    "body": {
      "account": "acme",
      "workspace": "svc:workspace:acme:default",
      "name": "granted",
      "from_pool": "pool_V9sP5kOTkUNzYlGEPzmgu",
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
      "allocation_schedule": [
        {
          "start_at": 1795510800,
          "end_at": 1795597200,
          "node_count": 1
        }
      ]
    },
    "response": {
      "object": "pool",
      "id": "pool_VcAW6qUu0EF4LL--IK-IB",
      "resource_path": "svc:pool:acme:default:granted",
      "workspace": {
        "object": "workspace",
        "id": "wksp_BjQWtZy4EbXGX6Sywj5i2",
        "name": "default",
        "resource_path": "svc:workspace:acme:default"
      },
      "name": "granted",
      "kind": "read_only",
      "allocation_schedule": {
        "total": [
          {
            "start_at": 1795510800,
            "end_at": 1795597200,
            "node_count": 1
          }
        ],
        "by_sku": {
          "sku_Lp0trjs6Y4iRUtcMc9CmO": [
            {
              "start_at": 1795510800,
              "end_at": 1795597200,
              "node_count": 1
            }
          ]
        }
      },
      "procurements": [],
      "deployments": [],
      "tags": null,
      "created_at": 1795424580
    }
  },
  "update_host": {
    "params": {
      "id": "host_T9iPNYAbvl62ECcfkLa0K"
    },
    "body": {
      "name": "rack-12-node-3"
    },
    "response": {
      "object": "host",
      "id": "host_T9iPNYAbvl62ECcfkLa0K",
      "resource_path": "svc:host:bourse:public:rack-12-node-3",
      "account": "bourse",
      "workspace": {
        "object": "workspace",
        "id": "wksp_d48iRtV7r866wpO8-oAcN",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "pool": {
        "object": "pool",
        "id": "pool_V9sP5kOTkUNzYlGEPzmgu",
        "name": "supply",
        "resource_path": "svc:pool:bourse:public:supply"
      },
      "name": "rack-12-node-3",
      "state": "active",
      "health": "healthy",
      "health_message": null,
      "slots": 2,
      "used_slots": 0,
      "instances": [],
      "agent_version": null,
      "facts": {
        "hostname": "simulated-11",
        "cpu_count": 384,
        "memory_bytes": 4400193994752,
        "storage_bytes": 32985348833280,
        "accelerators": [
          "h100",
          "h100"
        ],
        "network": "full",
        "host_address": "10.128.0.11",
        "public_ipv4s": [
          "198.18.0.55",
          "198.18.0.56"
        ],
        "hardware": {
          "processors": {
            "model": "Simulated processor",
            "sockets": 2,
            "cores": 192,
            "threads": 384,
            "features": []
          },
          "memory_bytes": 4400193994752,
          "numa_nodes": [
            {
              "node": 0,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            },
            {
              "node": 1,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            }
          ],
          "storage": {
            "size_bytes": 1610612736,
            "free_bytes": 32985348833280,
            "is_rotational": false,
            "is_read_only": false
          },
          "accelerators": [
            {
              "kind": "h100",
              "name": "NVIDIA H100",
              "form_factor": "sxm",
              "memory_bytes": null,
              "pci_id": "0000:0000",
              "subsystem_id": null,
              "bar_bytes": 0,
              "pcie_generation_max": null,
              "pcie_lanes_max": null,
              "devices": [
                {
                  "pci": "0000:00:00.0",
                  "numa_node": 0,
                  "iommu_group": 1,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                },
                {
                  "pci": "0000:01:00.0",
                  "numa_node": 0,
                  "iommu_group": 2,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                }
              ]
            }
          ],
          "rdma": [
            {
              "device": "simulated_0",
              "port": 1,
              "link_layer": "infiniband",
              "state": "ACTIVE",
              "gigabits_per_second": 400,
              "numa_node": 0,
              "guid": null,
              "subnet_prefix": null,
              "functions": [
                "0001:00:00.0",
                "0001:00:00.1"
              ]
            }
          ],
          "is_iommu_on": true,
          "is_secure_boot_on": false,
          "is_kvm_usable": null,
          "kernel": "simulated",
          "qemu": null,
          "problems": []
        }
      },
      "benchmark": null,
      "traffic": "none",
      "tunnel": null,
      "last_seen_at": 1795424580,
      "drain_deadline_at": null,
      "supply_ends_at": null,
      "created_at": 1795424520,
      "retired_at": null
    }
  },
  "cordon_host": {
    "params": {
      "id": "host_T9iPNYAbvl62ECcfkLa0K"
    },
    "response": {
      "object": "host",
      "id": "host_T9iPNYAbvl62ECcfkLa0K",
      "resource_path": "svc:host:bourse:public:rack-12-node-3",
      "account": "bourse",
      "workspace": {
        "object": "workspace",
        "id": "wksp_d48iRtV7r866wpO8-oAcN",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "pool": {
        "object": "pool",
        "id": "pool_V9sP5kOTkUNzYlGEPzmgu",
        "name": "supply",
        "resource_path": "svc:pool:bourse:public:supply"
      },
      "name": "rack-12-node-3",
      "state": "cordoned",
      "health": "healthy",
      "health_message": null,
      "slots": 2,
      "used_slots": 0,
      "instances": [],
      "agent_version": null,
      "facts": {
        "hostname": "simulated-11",
        "cpu_count": 384,
        "memory_bytes": 4400193994752,
        "storage_bytes": 32985348833280,
        "accelerators": [
          "h100",
          "h100"
        ],
        "network": "full",
        "host_address": "10.128.0.11",
        "public_ipv4s": [
          "198.18.0.55",
          "198.18.0.56"
        ],
        "hardware": {
          "processors": {
            "model": "Simulated processor",
            "sockets": 2,
            "cores": 192,
            "threads": 384,
            "features": []
          },
          "memory_bytes": 4400193994752,
          "numa_nodes": [
            {
              "node": 0,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            },
            {
              "node": 1,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            }
          ],
          "storage": {
            "size_bytes": 1610612736,
            "free_bytes": 32985348833280,
            "is_rotational": false,
            "is_read_only": false
          },
          "accelerators": [
            {
              "kind": "h100",
              "name": "NVIDIA H100",
              "form_factor": "sxm",
              "memory_bytes": null,
              "pci_id": "0000:0000",
              "subsystem_id": null,
              "bar_bytes": 0,
              "pcie_generation_max": null,
              "pcie_lanes_max": null,
              "devices": [
                {
                  "pci": "0000:00:00.0",
                  "numa_node": 0,
                  "iommu_group": 1,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                },
                {
                  "pci": "0000:01:00.0",
                  "numa_node": 0,
                  "iommu_group": 2,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                }
              ]
            }
          ],
          "rdma": [
            {
              "device": "simulated_0",
              "port": 1,
              "link_layer": "infiniband",
              "state": "ACTIVE",
              "gigabits_per_second": 400,
              "numa_node": 0,
              "guid": null,
              "subnet_prefix": null,
              "functions": [
                "0001:00:00.0",
                "0001:00:00.1"
              ]
            }
          ],
          "is_iommu_on": true,
          "is_secure_boot_on": false,
          "is_kvm_usable": null,
          "kernel": "simulated",
          "qemu": null,
          "problems": []
        }
      },
      "benchmark": null,
      "traffic": "none",
      "tunnel": null,
      "last_seen_at": 1795424580,
      "drain_deadline_at": null,
      "supply_ends_at": null,
      "created_at": 1795424520,
      "retired_at": null
    }
  },
  "uncordon_host": {
    "params": {
      "id": "host_T9iPNYAbvl62ECcfkLa0K"
    },
    "response": {
      "object": "host",
      "id": "host_T9iPNYAbvl62ECcfkLa0K",
      "resource_path": "svc:host:bourse:public:rack-12-node-3",
      "account": "bourse",
      "workspace": {
        "object": "workspace",
        "id": "wksp_d48iRtV7r866wpO8-oAcN",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "pool": {
        "object": "pool",
        "id": "pool_V9sP5kOTkUNzYlGEPzmgu",
        "name": "supply",
        "resource_path": "svc:pool:bourse:public:supply"
      },
      "name": "rack-12-node-3",
      "state": "active",
      "health": "healthy",
      "health_message": null,
      "slots": 2,
      "used_slots": 0,
      "instances": [],
      "agent_version": null,
      "facts": {
        "hostname": "simulated-11",
        "cpu_count": 384,
        "memory_bytes": 4400193994752,
        "storage_bytes": 32985348833280,
        "accelerators": [
          "h100",
          "h100"
        ],
        "network": "full",
        "host_address": "10.128.0.11",
        "public_ipv4s": [
          "198.18.0.55",
          "198.18.0.56"
        ],
        "hardware": {
          "processors": {
            "model": "Simulated processor",
            "sockets": 2,
            "cores": 192,
            "threads": 384,
            "features": []
          },
          "memory_bytes": 4400193994752,
          "numa_nodes": [
            {
              "node": 0,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            },
            {
              "node": 1,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            }
          ],
          "storage": {
            "size_bytes": 1610612736,
            "free_bytes": 32985348833280,
            "is_rotational": false,
            "is_read_only": false
          },
          "accelerators": [
            {
              "kind": "h100",
              "name": "NVIDIA H100",
              "form_factor": "sxm",
              "memory_bytes": null,
              "pci_id": "0000:0000",
              "subsystem_id": null,
              "bar_bytes": 0,
              "pcie_generation_max": null,
              "pcie_lanes_max": null,
              "devices": [
                {
                  "pci": "0000:00:00.0",
                  "numa_node": 0,
                  "iommu_group": 1,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                },
                {
                  "pci": "0000:01:00.0",
                  "numa_node": 0,
                  "iommu_group": 2,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                }
              ]
            }
          ],
          "rdma": [
            {
              "device": "simulated_0",
              "port": 1,
              "link_layer": "infiniband",
              "state": "ACTIVE",
              "gigabits_per_second": 400,
              "numa_node": 0,
              "guid": null,
              "subnet_prefix": null,
              "functions": [
                "0001:00:00.0",
                "0001:00:00.1"
              ]
            }
          ],
          "is_iommu_on": true,
          "is_secure_boot_on": false,
          "is_kvm_usable": null,
          "kernel": "simulated",
          "qemu": null,
          "problems": []
        }
      },
      "benchmark": null,
      "traffic": "none",
      "tunnel": null,
      "last_seen_at": 1795424580,
      "drain_deadline_at": null,
      "supply_ends_at": null,
      "created_at": 1795424520,
      "retired_at": null
    }
  },
  "drain_host": {
    "params": {
      "id": "host_T9iPNYAbvl62ECcfkLa0K"
    },
    "body": {
      "deadline_at": 1795424580
    },
    "response": {
      "object": "host",
      "id": "host_T9iPNYAbvl62ECcfkLa0K",
      "resource_path": "svc:host:bourse:public:rack-12-node-3",
      "account": "bourse",
      "workspace": {
        "object": "workspace",
        "id": "wksp_d48iRtV7r866wpO8-oAcN",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "pool": {
        "object": "pool",
        "id": "pool_V9sP5kOTkUNzYlGEPzmgu",
        "name": "supply",
        "resource_path": "svc:pool:bourse:public:supply"
      },
      "name": "rack-12-node-3",
      "state": "draining",
      "health": "healthy",
      "health_message": null,
      "slots": 2,
      "used_slots": 0,
      "instances": [],
      "agent_version": null,
      "facts": {
        "hostname": "simulated-11",
        "cpu_count": 384,
        "memory_bytes": 4400193994752,
        "storage_bytes": 32985348833280,
        "accelerators": [
          "h100",
          "h100"
        ],
        "network": "full",
        "host_address": "10.128.0.11",
        "public_ipv4s": [
          "198.18.0.55",
          "198.18.0.56"
        ],
        "hardware": {
          "processors": {
            "model": "Simulated processor",
            "sockets": 2,
            "cores": 192,
            "threads": 384,
            "features": []
          },
          "memory_bytes": 4400193994752,
          "numa_nodes": [
            {
              "node": 0,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            },
            {
              "node": 1,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            }
          ],
          "storage": {
            "size_bytes": 1610612736,
            "free_bytes": 32985348833280,
            "is_rotational": false,
            "is_read_only": false
          },
          "accelerators": [
            {
              "kind": "h100",
              "name": "NVIDIA H100",
              "form_factor": "sxm",
              "memory_bytes": null,
              "pci_id": "0000:0000",
              "subsystem_id": null,
              "bar_bytes": 0,
              "pcie_generation_max": null,
              "pcie_lanes_max": null,
              "devices": [
                {
                  "pci": "0000:00:00.0",
                  "numa_node": 0,
                  "iommu_group": 1,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                },
                {
                  "pci": "0000:01:00.0",
                  "numa_node": 0,
                  "iommu_group": 2,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                }
              ]
            }
          ],
          "rdma": [
            {
              "device": "simulated_0",
              "port": 1,
              "link_layer": "infiniband",
              "state": "ACTIVE",
              "gigabits_per_second": 400,
              "numa_node": 0,
              "guid": null,
              "subnet_prefix": null,
              "functions": [
                "0001:00:00.0",
                "0001:00:00.1"
              ]
            }
          ],
          "is_iommu_on": true,
          "is_secure_boot_on": false,
          "is_kvm_usable": null,
          "kernel": "simulated",
          "qemu": null,
          "problems": []
        }
      },
      "benchmark": null,
      "traffic": "none",
      "tunnel": null,
      "last_seen_at": 1795424580,
      "drain_deadline_at": 1795424580,
      "supply_ends_at": 1795424580,
      "created_at": 1795424520,
      "retired_at": null
    }
  },
  "advance_clock": {
    "body": {
      "seconds": 600
    },
    "response": {
      "object": "clock",
      "now": 1795425240,
      "real_now": 1795424340,
      "offset_seconds": 900,
      "frozen": true,
      "rate": 1,
      "next_due_at": 1795425300,
      "settled": true
    }
  },
  "retire_host": {
    "params": {
      "id": "host_T9iPNYAbvl62ECcfkLa0K"
    },
    "response": {
      "object": "host",
      "id": "host_T9iPNYAbvl62ECcfkLa0K",
      "resource_path": "svc:host:bourse:public:rack-12-node-3",
      "account": "bourse",
      "workspace": {
        "object": "workspace",
        "id": "wksp_d48iRtV7r866wpO8-oAcN",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "pool": {
        "object": "pool",
        "id": "pool_V9sP5kOTkUNzYlGEPzmgu",
        "name": "supply",
        "resource_path": "svc:pool:bourse:public:supply"
      },
      "name": "rack-12-node-3",
      "state": "retired",
      "health": "healthy",
      "health_message": null,
      "slots": 2,
      "used_slots": 0,
      "instances": [],
      "agent_version": null,
      "facts": {
        "hostname": "simulated-11",
        "cpu_count": 384,
        "memory_bytes": 4400193994752,
        "storage_bytes": 32985348833280,
        "accelerators": [
          "h100",
          "h100"
        ],
        "network": "full",
        "host_address": "10.128.0.11",
        "public_ipv4s": [
          "198.18.0.55",
          "198.18.0.56"
        ],
        "hardware": {
          "processors": {
            "model": "Simulated processor",
            "sockets": 2,
            "cores": 192,
            "threads": 384,
            "features": []
          },
          "memory_bytes": 4400193994752,
          "numa_nodes": [
            {
              "node": 0,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            },
            {
              "node": 1,
              "threads": 192,
              "memory_bytes": 2200096997376,
              "free_2mib_pages": 0,
              "free_1gib_pages": 0
            }
          ],
          "storage": {
            "size_bytes": 1610612736,
            "free_bytes": 32985348833280,
            "is_rotational": false,
            "is_read_only": false
          },
          "accelerators": [
            {
              "kind": "h100",
              "name": "NVIDIA H100",
              "form_factor": "sxm",
              "memory_bytes": null,
              "pci_id": "0000:0000",
              "subsystem_id": null,
              "bar_bytes": 0,
              "pcie_generation_max": null,
              "pcie_lanes_max": null,
              "devices": [
                {
                  "pci": "0000:00:00.0",
                  "numa_node": 0,
                  "iommu_group": 1,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                },
                {
                  "pci": "0000:01:00.0",
                  "numa_node": 0,
                  "iommu_group": 2,
                  "driver": null,
                  "pcie_generation": null,
                  "pcie_lanes": null
                }
              ]
            }
          ],
          "rdma": [
            {
              "device": "simulated_0",
              "port": 1,
              "link_layer": "infiniband",
              "state": "ACTIVE",
              "gigabits_per_second": 400,
              "numa_node": 0,
              "guid": null,
              "subnet_prefix": null,
              "functions": [
                "0001:00:00.0",
                "0001:00:00.1"
              ]
            }
          ],
          "is_iommu_on": true,
          "is_secure_boot_on": false,
          "is_kvm_usable": null,
          "kernel": "simulated",
          "qemu": null,
          "problems": []
        }
      },
      "benchmark": null,
      "traffic": "none",
      "tunnel": null,
      "last_seen_at": 1795425240,
      "drain_deadline_at": 1795424580,
      "supply_ends_at": 1795424580,
      "created_at": 1795424520,
      "retired_at": 1795425240
    }
  },
  "create_host_enrolment": {
    "body": {
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
      "slots": 1,
      "uses": 8,
      "expires_in_seconds": 86400
    },
    "response": {
      "object": "host_enrolment",
      "id": "henr_IX4L9wRih_1MKZQdTsrIu",
      "workspace": {
        "object": "workspace",
        "id": "wksp_d48iRtV7r866wpO8-oAcN",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "slots": 1,
      "uses": 8,
      "used": 0,
      "expires_at": 1795511640,
      "created_at": 1795425240,
      "token": "bhe_v-U5fjU3YWw2DJ-jEQVUgUJt9DGXHTE9lu5vGIt8C-2",
      "command": "mkdir -p bourse-agent && curl -fsS https://bourse.example/agent/v1/bundle.tgz | tar -xz -C bourse-agent && printf %s bhe_v-U5fjU3YWw2DJ-jEQVUgUJt9DGXHTE9lu5vGIt8C-2 | bourse-agent/packages/agent/bin/bourse agent enrol --server https://bourse.example --token-file - && bourse-agent/packages/agent/bin/bourse agent run"
    }
  },
  "list_host_enrolments": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "host_enrolment",
          "id": "henr_IX4L9wRih_1MKZQdTsrIu",
          "workspace": {
            "object": "workspace",
            "id": "wksp_d48iRtV7r866wpO8-oAcN",
            "name": "public",
            "resource_path": "svc:workspace:bourse:public"
          },
          "sku": {
            "object": "sku",
            "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
            "alias": "h100-west"
          },
          "slots": 1,
          "uses": 8,
          "used": 0,
          "expires_at": 1795511640,
          "created_at": 1795425240
        }
      ],
      "has_more": false,
      "cursor": "henrc_1Jw-g0Ddy2IOQZQkxhnHYufX"
    }
  },
  "get_host_enrolment": {
    "params": {
      "id": "henr_IX4L9wRih_1MKZQdTsrIu"
    },
    "response": {
      "object": "host_enrolment",
      "id": "henr_IX4L9wRih_1MKZQdTsrIu",
      "workspace": {
        "object": "workspace",
        "id": "wksp_d48iRtV7r866wpO8-oAcN",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "slots": 1,
      "uses": 8,
      "used": 0,
      "expires_at": 1795511640,
      "created_at": 1795425240
    }
  },
  "delete_host_enrolment": {
    "params": {
      "id": "henr_IX4L9wRih_1MKZQdTsrIu"
    }
  },
  "create_account": {
    "body": {
      "id": "fathom",
      "name": "Fathom Labs",
      "entity_type": "business",
      "trust_level": "basic"
    },
    "response": {
      "object": "account",
      "id": "fathom",
      "name": "Fathom Labs",
      "entity_type": "business",
      "trust_level": "basic",
      "is_frozen": false,
      "is_platform": false,
      "token_lifetime_max_days": 365,
      "created_at": 1795425240,
      "balance": {
        "object": "balance",
        "available_dollars": "0.000000",
        "total_dollars": "0.000000",
        "held_dollars": "0.000000",
        "credit_limit_dollars": "0.000000",
        "low_at_dollars": null,
        "is_low": false,
        "updated_at": 1795425240
      },
      "token": "eyJhbGciOiJFZERTQSJ9.cGNLnCCQQJLI3Y0bsO6JGhDh.signature"
    }
  },
  "list_accounts": {
    "query": {
      "limit": 2
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "account",
          "id": "fathom",
          "name": "Fathom Labs",
          "entity_type": "business",
          "trust_level": "basic",
          "is_frozen": false,
          "is_platform": false,
          "token_lifetime_max_days": 365,
          "created_at": 1795425240,
          "balance": {
            "object": "balance",
            "available_dollars": "0.000000",
            "total_dollars": "0.000000",
            "held_dollars": "0.000000",
            "credit_limit_dollars": "0.000000",
            "low_at_dollars": null,
            "is_low": false,
            "updated_at": 1795425240
          }
        },
        {
          "object": "account",
          "id": "tidewater",
          "name": "Tidewater Markets",
          "entity_type": null,
          "trust_level": "partner",
          "is_frozen": false,
          "is_platform": false,
          "token_lifetime_max_days": 365,
          "created_at": 1791968340,
          "balance": {
            "object": "balance",
            "available_dollars": "999922676.652008",
            "total_dollars": "1000002472.778527",
            "held_dollars": "79796.126519",
            "credit_limit_dollars": "0.000000",
            "low_at_dollars": null,
            "is_low": false,
            "updated_at": 1795425240
          }
        }
      ],
      "has_more": true,
      "cursor": "acctc_U851dRw-W4h2gEDQbYr2mfG3"
    }
  },
  "get_administered_account": {
    "params": {
      "account": "fathom"
    },
    "response": {
      "object": "account",
      "id": "fathom",
      "name": "Fathom Labs",
      "entity_type": "business",
      "trust_level": "basic",
      "is_frozen": false,
      "is_platform": false,
      "token_lifetime_max_days": 365,
      "created_at": 1795425240,
      "balance": {
        "object": "balance",
        "available_dollars": "0.000000",
        "total_dollars": "0.000000",
        "held_dollars": "0.000000",
        "credit_limit_dollars": "0.000000",
        "low_at_dollars": null,
        "is_low": false,
        "updated_at": 1795425240
      }
    }
  },
  "update_account": {
    "params": {
      "account": "fathom"
    },
    "body": {
      "name": "Fathom"
    },
    "response": {
      "object": "account",
      "id": "fathom",
      "name": "Fathom",
      "entity_type": "business",
      "trust_level": "basic",
      "is_frozen": false,
      "is_platform": false,
      "token_lifetime_max_days": 365,
      "created_at": 1795425240,
      "balance": {
        "object": "balance",
        "available_dollars": "0.000000",
        "total_dollars": "0.000000",
        "held_dollars": "0.000000",
        "credit_limit_dollars": "0.000000",
        "low_at_dollars": null,
        "is_low": false,
        "updated_at": 1795425240
      }
    }
  },
  "freeze_account": {
    "params": {
      "account": "fathom"
    },
    "response": {
      "object": "account",
      "id": "fathom",
      "name": "Fathom",
      "entity_type": "business",
      "trust_level": "basic",
      "is_frozen": true,
      "is_platform": false,
      "token_lifetime_max_days": 365,
      "created_at": 1795425240,
      "balance": {
        "object": "balance",
        "available_dollars": "0.000000",
        "total_dollars": "0.000000",
        "held_dollars": "0.000000",
        "credit_limit_dollars": "0.000000",
        "low_at_dollars": null,
        "is_low": false,
        "updated_at": 1795425240
      }
    }
  },
  "unfreeze_account": {
    "params": {
      "account": "fathom"
    },
    "response": {
      "object": "account",
      "id": "fathom",
      "name": "Fathom",
      "entity_type": "business",
      "trust_level": "basic",
      "is_frozen": false,
      "is_platform": false,
      "token_lifetime_max_days": 365,
      "created_at": 1795425240,
      "balance": {
        "object": "balance",
        "available_dollars": "0.000000",
        "total_dollars": "0.000000",
        "held_dollars": "0.000000",
        "credit_limit_dollars": "0.000000",
        "low_at_dollars": null,
        "is_low": false,
        "updated_at": 1795425240
      }
    }
  },
  "set_trust_level": {
    "params": {
      "account": "fathom"
    },
    "body": {
      "trust_level": "trusted"
    },
    "response": {
      "object": "account",
      "id": "fathom",
      "name": "Fathom",
      "entity_type": "business",
      "trust_level": "trusted",
      "is_frozen": false,
      "is_platform": false,
      "token_lifetime_max_days": 365,
      "created_at": 1795425240,
      "balance": {
        "object": "balance",
        "available_dollars": "0.000000",
        "total_dollars": "0.000000",
        "held_dollars": "0.000000",
        "credit_limit_dollars": "0.000000",
        "low_at_dollars": null,
        "is_low": false,
        "updated_at": 1795425240
      }
    }
  },
  "create_account_user": {
    "params": {
      "account": "fathom"
    },
    "body": {
      "email": "joan@fathom.example",
      "name": "joan",
      "first_name": "Joan",
      "last_name": "Clarke"
    },
    "response": {
      "object": "user",
      "id": "usr_GeHDYdJlx40XzchGRitx8",
      "resource_path": "svc:user:fathom:joan",
      "name": "joan",
      "email": "joan@fathom.example",
      "first_name": "Joan",
      "last_name": "Clarke",
      "created_at": 1795425240
    }
  },
  "list_account_limits": {
    "params": {
      "account": "acme"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "limit",
          "name": "workspaces",
          "unit": "count",
          "value": 50,
          "used": 3,
          "scope": "account",
          "source": "trust_level"
        },
        {
          "object": "limit",
          "name": "users",
          "unit": "count",
          "value": 200,
          "used": 2,
          "scope": "account",
          "source": "trust_level"
        }
      ],
      "has_more": false
    }
  },
  "put_account_limit": {
    "params": {
      "account": "acme",
      "name": "instances"
    },
    "body": {
      "value": 500
    },
    "response": {
      "object": "limit",
      "name": "instances",
      "unit": "count",
      "value": 500,
      "used": 12,
      "scope": "account",
      "source": "override"
    }
  },
  "delete_account_limit": {
    "params": {
      "account": "acme",
      "name": "instances"
    }
  },
  "create_sku": {
    "body": {
      "alias": "b200-oregon",
      "region": "us-west",
      "availability_zone": "us-west-1a",
      "accelerator": "b200",
      "num_accelerators": 8,
      "num_vcpus": 224
    },
    "response": {
      "object": "sku",
      "id": "sku_tik7QxXMPlXVpcsVmmrzH",
      "alias": "b200-oregon",
      "region": {
        "value": "us-west",
        "display_value": "US West"
      },
      "availability_zone": {
        "value": "us-west-1a",
        "display_value": "US West 1a"
      },
      "accelerator": {
        "value": "b200",
        "display_value": "NVIDIA B200"
      },
      "num_accelerators": {
        "value": 8,
        "display_value": "8"
      },
      "num_vcpus": {
        "value": 224,
        "display_value": "224"
      },
      "price_step_dollars_per_node_hour": "0.000001",
      "benchmark_figures": [],
      "listed": true,
      "flat_fee_dollars_per_node_hour": "0.000000",
      "fee_bps": 0,
      "public_prices_exclude_related": false,
      "created_at": 1795425240,
      "updated_at": 1795425240
    }
  },
  "update_sku": {
    "params": {
      "id": "sku_tik7QxXMPlXVpcsVmmrzH"
    },
    "body": {
      "fee_bps": 150
    },
    "response": {
      "object": "sku",
      "id": "sku_tik7QxXMPlXVpcsVmmrzH",
      "alias": "b200-oregon",
      "region": {
        "value": "us-west",
        "display_value": "US West"
      },
      "availability_zone": {
        "value": "us-west-1a",
        "display_value": "US West 1a"
      },
      "accelerator": {
        "value": "b200",
        "display_value": "NVIDIA B200"
      },
      "num_accelerators": {
        "value": 8,
        "display_value": "8"
      },
      "num_vcpus": {
        "value": 224,
        "display_value": "224"
      },
      "price_step_dollars_per_node_hour": "0.000001",
      "benchmark_figures": [],
      "listed": true,
      "flat_fee_dollars_per_node_hour": "0.000000",
      "fee_bps": 150,
      "public_prices_exclude_related": false,
      "created_at": 1795425240,
      "updated_at": 1795425240
    }
  },
  "retire_sku": {
    "params": {
      "id": "sku_tik7QxXMPlXVpcsVmmrzH"
    }
  },
  "restore_sku": {
    "params": {
      "id": "sku_tik7QxXMPlXVpcsVmmrzH"
    },
    "response": {
      "object": "sku",
      "id": "sku_tik7QxXMPlXVpcsVmmrzH",
      "alias": "b200-oregon",
      "region": {
        "value": "us-west",
        "display_value": "US West"
      },
      "availability_zone": {
        "value": "us-west-1a",
        "display_value": "US West 1a"
      },
      "accelerator": {
        "value": "b200",
        "display_value": "NVIDIA B200"
      },
      "num_accelerators": {
        "value": 8,
        "display_value": "8"
      },
      "num_vcpus": {
        "value": 224,
        "display_value": "224"
      },
      "price_step_dollars_per_node_hour": "0.000001",
      "benchmark_figures": [],
      "listed": true,
      "flat_fee_dollars_per_node_hour": "0.000000",
      "fee_bps": 150,
      "public_prices_exclude_related": false,
      "created_at": 1795425240,
      "updated_at": 1795425240
    }
  },
  "put_sku_property_value": {
    "params": {
      "property": "region",
      "name": "us-east"
    },
    "body": {
      "display_name": "US East"
    },
    "response": {
      "object": "sku_property",
      "name": "us-east",
      "display_name": "US East",
      "description": "",
      "documentation_link": null,
      "deprecated_at": null,
      "deprecation_info": null
    }
  },
  "put_sku_override": {
    "params": {
      "account": "acme",
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO"
    },
    "body": {
      "num_vcpus": 176
    },
    "response": {
      "object": "sku_override",
      "account": "acme",
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "properties": {
        "num_vcpus": {
          "value": 176,
          "display_value": "176"
        }
      },
      "updated_at": 1795425240
    }
  },
  "list_sku_overrides": {
    "params": {
      "account": "acme"
    },
    "response": {
      "object": "list",
      "data": [
        {
          "object": "sku_override",
          "account": "acme",
          "sku": {
            "object": "sku",
            "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
            "alias": "h100-west"
          },
          "properties": {
            "num_vcpus": {
              "value": 176,
              "display_value": "176"
            }
          },
          "updated_at": 1795425240
        },
        {
          "object": "sku_override",
          "account": "acme",
          "sku": {
            "object": "sku",
            "id": "sku_fOfR5IvUV10aasDDXBb08",
            "alias": "a100-north"
          },
          "properties": {
            "local_storage_bytes": {
              "value": 8246337208320,
              "display_value": "7680 GiB"
            }
          },
          "updated_at": 1795381140
        }
      ],
      "has_more": false
    }
  },
  "delete_sku_override": {
    "params": {
      "account": "acme",
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO"
    }
  },
  "halt_market": {
    "body": {
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO",
      "message": "The fabric is being replaced."
    },
    "response": {
      "object": "market_halt",
      "halted": "some",
      "skus": [
        "sku_Lp0trjs6Y4iRUtcMc9CmO"
      ],
      "message": "The fabric is being replaced."
    }
  },
  "resume_market": {
    "body": {
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO"
    },
    "response": {
      "object": "market_halt",
      "halted": "none",
      "skus": [],
      "message": null
    }
  },
  "create_maintenance_window": {
    "body": {
      "start_at": 1795597200,
      "end_at": 1795604400,
      "maintenance_type": "degraded_performance",
      "title": "New switches in us-west-1a",
      "description": "The network is slower while switches are replaced, one after the other.",
      "sku": [
        "sku_Lp0trjs6Y4iRUtcMc9CmO"
      ]
    },
    "response": {
      "object": "maintenance_window",
      "id": "mwin_otFp4BHBJ7zUaIl378w2e",
      "start_at": 1795597200,
      "end_at": 1795604400,
      "maintenance_type": "degraded_performance",
      "title": "New switches in us-west-1a",
      "description": "The network is slower while switches are replaced, one after the other.",
      "action_message": null,
      "sku": [
        "sku_Lp0trjs6Y4iRUtcMc9CmO"
      ],
      "created_at": 1795425240
    }
  },
  "list_maintenance_windows": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "maintenance_window",
          "id": "mwin_otFp4BHBJ7zUaIl378w2e",
          "start_at": 1795597200,
          "end_at": 1795604400,
          "maintenance_type": "degraded_performance",
          "title": "New switches in us-west-1a",
          "description": "The network is slower while switches are replaced, one after the other.",
          "action_message": null,
          "sku": [
            "sku_Lp0trjs6Y4iRUtcMc9CmO"
          ],
          "created_at": 1795425240
        }
      ],
      "has_more": false,
      "cursor": "mwinc_LfxaTL9sIu915JFJkv4QqRr2"
    }
  },
  "delete_maintenance_window": {
    "params": {
      "id": "mwin_otFp4BHBJ7zUaIl378w2e"
    }
  },
  "create_ready_image": {
    "body": {
      "name": "rocky-10"
    },
    "response": {
      "object": "image",
      "id": "image_JpVveoRaqePY9Q3TJA-95",
      "resource_path": "svc:image:bourse:public:rocky-10",
      "workspace": {
        "object": "workspace",
        "id": "wksp_d48iRtV7r866wpO8-oAcN",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "name": "rocky-10",
      "is_public": false,
      "state": "completed",
      "failure_reason": null,
      "sha256": "204d3dc2e380ddaa2514b207d6c7a19b276ec7047e84b482851c477f36522ab3",
      "size_bytes": 1610612736,
      "format": "qcow2",
      "virtual_size_bytes": 21474836480,
      "deprecated_at": null,
      "deprecation_message": null,
      "revoked_at": null,
      "created_at": 1795425240
    }
  },
  "publish_public_image": {
    "params": {
      "id": "image_JpVveoRaqePY9Q3TJA-95"
    },
    "response": {
      "object": "image",
      "id": "image_JpVveoRaqePY9Q3TJA-95",
      "resource_path": "svc:image:bourse:public:rocky-10",
      "workspace": {
        "object": "workspace",
        "id": "wksp_d48iRtV7r866wpO8-oAcN",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "name": "rocky-10",
      "is_public": true,
      "state": "completed",
      "failure_reason": null,
      "sha256": "204d3dc2e380ddaa2514b207d6c7a19b276ec7047e84b482851c477f36522ab3",
      "size_bytes": 1610612736,
      "format": "qcow2",
      "virtual_size_bytes": 21474836480,
      "deprecated_at": null,
      "deprecation_message": null,
      "revoked_at": null,
      "created_at": 1795425240
    }
  },
  "revoke_public_image": {
    "params": {
      "id": "image_JpVveoRaqePY9Q3TJA-95"
    },
    "response": {
      "object": "image",
      "id": "image_JpVveoRaqePY9Q3TJA-95",
      "resource_path": "svc:image:bourse:public:rocky-10",
      "workspace": {
        "object": "workspace",
        "id": "wksp_d48iRtV7r866wpO8-oAcN",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "name": "rocky-10",
      "is_public": true,
      "state": "revoked",
      "failure_reason": null,
      "sha256": "204d3dc2e380ddaa2514b207d6c7a19b276ec7047e84b482851c477f36522ab3",
      "size_bytes": 1610612736,
      "format": "qcow2",
      "virtual_size_bytes": 21474836480,
      "deprecated_at": null,
      "deprecation_message": null,
      "revoked_at": 1795425240,
      "created_at": 1795425240
    }
  },
  "reinstate_public_image": {
    "params": {
      "id": "image_JpVveoRaqePY9Q3TJA-95"
    },
    "response": {
      "object": "image",
      "id": "image_JpVveoRaqePY9Q3TJA-95",
      "resource_path": "svc:image:bourse:public:rocky-10",
      "workspace": {
        "object": "workspace",
        "id": "wksp_d48iRtV7r866wpO8-oAcN",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "name": "rocky-10",
      "is_public": true,
      "state": "completed",
      "failure_reason": null,
      "sha256": "204d3dc2e380ddaa2514b207d6c7a19b276ec7047e84b482851c477f36522ab3",
      "size_bytes": 1610612736,
      "format": "qcow2",
      "virtual_size_bytes": 21474836480,
      "deprecated_at": null,
      "deprecation_message": null,
      "revoked_at": null,
      "created_at": 1795425240
    }
  },
  "deprecate_public_image": {
    "params": {
      "id": "image_JpVveoRaqePY9Q3TJA-95"
    },
    "body": {
      "message": "Use rocky-11."
    },
    "response": {
      "object": "image",
      "id": "image_JpVveoRaqePY9Q3TJA-95",
      "resource_path": "svc:image:bourse:public:rocky-10",
      "workspace": {
        "object": "workspace",
        "id": "wksp_d48iRtV7r866wpO8-oAcN",
        "name": "public",
        "resource_path": "svc:workspace:bourse:public"
      },
      "name": "rocky-10",
      "is_public": true,
      "state": "completed",
      "failure_reason": null,
      "sha256": "204d3dc2e380ddaa2514b207d6c7a19b276ec7047e84b482851c477f36522ab3",
      "size_bytes": 1610612736,
      "format": "qcow2",
      "virtual_size_bytes": 21474836480,
      "deprecated_at": 1795425240,
      "deprecation_message": "Use rocky-11.",
      "revoked_at": null,
      "created_at": 1795425240
    }
  },
  "get_clock": {
    "response": {
      "object": "clock",
      "now": 1795425240,
      "real_now": 1795424340,
      "offset_seconds": 900,
      "frozen": true,
      "rate": 1,
      "next_due_at": 1795425300
    }
  },
  "freeze_clock": {
    "response": {
      "object": "clock",
      "now": 1795425240,
      "real_now": 1795424340,
      "offset_seconds": 900,
      "frozen": true,
      "rate": 1,
      "next_due_at": 1795425300
    }
  },
  "settle": {
    "body": {
      "timeout_seconds": 5
    },
    "response": {
      "object": "settlement",
      "settled": true
    }
  },
  "list_scenarios": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "scenario",
          "name": "empty",
          "description": "The platform account and one customer account, with nothing in them."
        },
        {
          "object": "scenario",
          "name": "quickstart",
          "description": "A small market with something in every state: the one that a sandbox starts with."
        }
      ],
      "has_more": false
    }
  },
  "list_market_makers": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "market_maker",
          "sku": {
            "object": "sku",
            "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
            "alias": "h100-west"
          },
          "enabled": true,
          "node_count": 16,
          "base_price_dollars_per_node_hour": "17.000000",
          "fair_price_dollars_per_node_hour": "18.204411",
          "created_at": 1795381140
        },
        {
          "object": "market_maker",
          "sku": {
            "object": "sku",
            "id": "sku_fOfR5IvUV10aasDDXBb08",
            "alias": "a100-north"
          },
          "enabled": true,
          "node_count": 16,
          "base_price_dollars_per_node_hour": "9.000000",
          "fair_price_dollars_per_node_hour": "18.204411",
          "created_at": 1795381140
        }
      ],
      "has_more": false
    }
  },
  "update_market_maker": {
    "params": {
      "sku": "sku_Lp0trjs6Y4iRUtcMc9CmO"
    },
    "body": {
      "base_price_dollars_per_node_hour": "18.00"
    },
    "response": {
      "object": "market_maker",
      "sku": {
        "object": "sku",
        "id": "sku_Lp0trjs6Y4iRUtcMc9CmO",
        "alias": "h100-west"
      },
      "enabled": true,
      "node_count": 16,
      "base_price_dollars_per_node_hour": "18.000000",
      "fair_price_dollars_per_node_hour": "18.204411",
      "created_at": 1795381140
    }
  },
  "create_market_maker": {
    "body": {
      "sku": "sku_tik7QxXMPlXVpcsVmmrzH",
      "base_price_dollars_per_node_hour": "18.00",
      "node_count": 4
    },
    "response": {
      "object": "market_maker",
      "sku": {
        "object": "sku",
        "id": "sku_tik7QxXMPlXVpcsVmmrzH",
        "alias": "b200-oregon"
      },
      "enabled": true,
      "node_count": 4,
      "base_price_dollars_per_node_hour": "18.000000",
      "fair_price_dollars_per_node_hour": "18.204411",
      "created_at": 1795425240
    }
  },
  "create_fault": {
    "body": {
      "kind": "http_error",
      "status": 503,
      "times": 3
    },
    "response": {
      "object": "fault",
      "id": "flt_GsdJOZMU1U0RZ_ZQAml4U",
      "kind": "http_error",
      "status": 503,
      "times": 3,
      "hits": 0,
      "active": true,
      "created_at": 1795425240
    }
  },
  "list_faults": {
    "response": {
      "object": "list",
      "data": [
        {
          "object": "fault",
          "id": "flt_GsdJOZMU1U0RZ_ZQAml4U",
          "kind": "http_error",
          "status": 503,
          "times": 3,
          "hits": 0,
          "active": true,
          "created_at": 1795425240
        },
        {
          "object": "fault",
          "id": "flt_ZAUZi5ZOrPElGlKakH160",
          "kind": "instance_unhealthy",
          "times": 1,
          "instance": "inst_WRq1m8prjKN4w0OKWWHvV",
          "hits": 1,
          "active": false,
          "created_at": 1795421700
        }
      ],
      "has_more": false
    }
  },
  "delete_fault": {
    "params": {
      "id": "flt_GsdJOZMU1U0RZ_ZQAml4U"
    }
  },
  "set_clock_rate": {
    "body": {
      "rate": 60
    },
    "response": {
      "object": "clock",
      "now": 1795425240,
      "real_now": 1795424340,
      "offset_seconds": 900,
      "frozen": true,
      "rate": 60,
      "next_due_at": 1795425300
    }
  },
  "resume_clock": {
    "response": {
      "object": "clock",
      "now": 1795425240,
      "real_now": 1795424340,
      "offset_seconds": 900,
      "frozen": false,
      "rate": 60,
      "next_due_at": 1795425300
    }
  },
  "get_health": {
    "response": {
      "status": "ok"
    }
  },
  "get_readiness": {
    "response": {
      "status": "ok",
      "parts": [
        {
          "name": "database",
          "message": "ok"
        },
        {
          "name": "schema",
          "message": "ok"
        }
      ]
    }
  },
  "get_version": {
    "response": {
      "name": "bourse",
      "version": "0.1.0",
      "interface_version": "0.1.0",
      "mode": "sandbox",
      "commit": "4f2c1e7"
    }
  },
  "get_signing_keys": {
    "response": {
      "keys": [
        {
          "kty": "OKP",
          "crv": "Ed25519",
          "x": "03UdUOTSvM9ELJuI7tGVn0IOzDYVY9x2WUILE0vSIgs",
          "kid": "TEJYok_-z2N7vZ1I",
          "use": "sig",
          "alg": "EdDSA"
        },
        {
          "kty": "OKP",
          "crv": "Ed25519",
          "x": "NgAyfCjhx22MbXOuFVTo3alJsVlaPKSJwlO-CM5G6-0",
          "kid": "smvltlV5AwVc9gf2",
          "use": "sig",
          "alg": "EdDSA"
        }
      ]
    }
  },
  "load_scenario": {
    "params": {
      "name": "preemption"
    },
    "body": {
      "seed": 7
    },
    "response": {
      "object": "loaded_scenario",
      "scenario": "preemption",
      "seed": 7,
      "now": 1795424340,
      "accounts": [
        {
          "id": "bourse",
          "token": "eyJhbGciOiJFZERTQSJ9.hYFTN0yzC8VXroMvZQdpaQe3.signature"
        },
        {
          "id": "acme",
          "token": "eyJhbGciOiJFZERTQSJ9.xCpuAMJddXpW9u_AsR9UUHXN.signature"
        }
      ],
      "ids": {
        "sku": "sku_7dsiuhnFpCLkpRhU8BOl8",
        "instance_1": "inst_iO98--bsLhuGkTW2Si2al",
        "instance_2": "inst_OwJ6U78SqfVH1dMQk116y",
        "instance_3": "inst_Z11LPdciHi5I2pd6dJtgh",
        "instance_4": "inst_HDQ76vfvzW79qkmUenk0C",
        "instance_5": "inst_DMCkemfHj3xzszN5PbK18",
        "instance_6": "inst_87LVjAd6LS1ipthDupLsY",
        "instance_waiting": "inst_Jr7SYs6G3adamRnPz1zJA",
        "pool": "pool_e3qwFOEno7NQTPWRrN79V",
        "image": "image_QNTqQyWg26r83Rd2V2O82",
        "pool_market": "pool_UZ5ARUiSxRwfMM2AA3P6w"
      }
    }
  },
  "reset_sandbox": {
    "body": {
      "scenario": "empty"
    },
    "response": {
      "object": "loaded_scenario",
      "scenario": "empty",
      "seed": 1,
      "now": 1795424340,
      "accounts": [
        {
          "id": "bourse",
          "token": "eyJhbGciOiJFZERTQSJ9.hYFTN0yzC8VXroMvZQdpaQe3.signature"
        },
        {
          "id": "acme",
          "token": "eyJhbGciOiJFZERTQSJ9.xCpuAMJddXpW9u_AsR9UUHXN.signature"
        }
      ],
      "ids": {}
    }
  }
}
